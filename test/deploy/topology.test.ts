import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OcrRouter } from '@ocr-router/client';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { picture } from '../house/pictures.ts';
import { startProduct } from '../house/product.ts';
import { missingRedis, RedisServer } from '../house/redis.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';
import { startCaddy } from './caddy.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COMMAND = join(ROOT, 'cli/dist/main.js');
const missing =
  missingRedis() ?? (spawnSync('caddy', ['version']).status === 0 ? null : 'Caddy is not installed (Debian: caddy)');
if (missing) console.log(`skipped: ${missing}`);

describe('what compose.yaml puts together, without containers', async () => {
  if (missing) {
    it.skip(`cannot be tested: ${missing}`, () => undefined);
    return;
  }
  const databaseUrl = await createDatabase();
  const secrets = await mkdtemp(join(tmpdir(), 'ocr-secrets-'));
  await writeFile(join(secrets, 'database-url'), `${databaseUrl}\n`);
  await writeFile(join(secrets, 'secrets-key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  const files = {
    DATABASE_URL_FILE: join(secrets, 'database-url'),
    SECRETS_KEY_FILE: join(secrets, 'secrets-key'),
    DATABASE_URL: '',
  };
  const { stdout: migrated } = await promisify(execFile)(process.execPath, [COMMAND, 'migrate'], {
    env: { ...process.env, ...files },
  });
  const redis = await RedisServer.start();
  const engines = await ScriptedEngines.start();
  const admin = await openHouseAdmin(databaseUrl);
  const options = {
    databaseUrl,
    engines: [engines.entry('reader', { concurrency: 4 })],
    env: { ...files, REDIS_URL: redis.url },
  };
  const apis = await Promise.all([1, 2].map(() => startProduct({ ...options, role: 'api' as const })));
  const workers = await Promise.all([1, 2].map(() => startProduct({ ...options, role: 'worker' as const })));
  const caddy = await startCaddy(apis);
  const { apiKey } = await makeAccount(admin);
  const caller = new Caller(caddy.apiUrl, apiKey);
  afterAll(async () => {
    await caddy[Symbol.asyncDispose]();
    await Promise.all([...apis, ...workers].map((product) => product[Symbol.asyncDispose]()));
    await admin[Symbol.asyncDispose]();
    await engines[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    await rm(secrets, { recursive: true });
  });
  beforeEach(() => engines.reset());

  async function reads(times: number) {
    const replies = await Promise.all(Array.from({ length: times }, async () => caller.ocr(await pictureBody())));
    return replies.map(({ status, body }) => [status, body.status]);
  }

  it('the migration is a command of its own', () => {
    expect(JSON.parse(migrated)).toEqual({ schema: 'up to date' });
  });

  it('reads documents through Caddy, shows the dashboard, and keeps the figures inside', async () => {
    expect(await reads(8)).toEqual(Array.from({ length: 8 }, () => [200, 'succeeded']));
    const page = await fetch(caddy.dashboardUrl, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect((await caller.get('/metrics')).status).toBe(404);
  });

  it('goes on without one of the two API processes, and without one of the two workers', async () => {
    const gate = makeGate();
    engines.script('reader', async () => {
      await gate.opened;
      return says('read after all');
    });
    const answer = caller.ocr(await pictureBody('reader', { mode: 'async' }));
    const { request_id: id } = (await answer).body;
    await engines.called('reader');
    await workers[0]?.kill();
    gate.open();
    await expect
      .poll(async () => (await caller.get(`/v1/ocr/${id}`)).body.status, { timeout: 90_000, interval: 500 })
      .toBe('succeeded');
    await apis[0]?.kill();
    // As any client that follows the contract: what has no outcome is sent again with its key.
    const client = new OcrRouter({ url: caddy.apiUrl, apiKey, retries: 8 });
    const pictures = await Promise.all([1, 2, 3, 4].map(() => picture()));
    const results = await Promise.all(pictures.map((bytes) => client.read(bytes, { engine: 'reader' })));
    expect(results.map(({ status }) => status)).toEqual(pictures.map(() => 'succeeded'));
  });
});
