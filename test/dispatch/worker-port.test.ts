import { afterAll, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { expectError } from '../house/expect-error.ts';
import { freePorts } from '../house/free-ports.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { startProduct } from '../house/product.ts';

const databaseUrl = await createDatabase();
const [redisPort = 0] = await freePorts(1);
const admin = await openHouseAdmin(databaseUrl);
// Redis may be away: nobody listens there.
const env = { REDIS_URL: `redis://127.0.0.1:${redisPort}` };
const worker = await startProduct({ databaseUrl, role: 'worker', env });
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await admin[Symbol.asyncDispose]();
});

describe('the port of a worker’s probes', () => {
  it.each(['/livez', '/readyz', '/metrics'])('answers %s', async (path) => {
    const response = await fetch(`${worker.url}${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(`${worker.url}${path}`, { method: 'HEAD' })).status).toBe(200);
  });

  it('answers nothing of the API', async () => {
    const { apiKey } = await makeAccount(admin);
    const caller = new Caller(worker.url, apiKey);
    expectError(await caller.ocr(await pictureBody('tesseract')), 404, 'not_found');
    for (const path of ['/v1/engines', '/v1/usage', '/graphql', '/docs', '/openapi.json', '/']) {
      expectError(await caller.get(path), 404, 'not_found');
    }
  });
});
