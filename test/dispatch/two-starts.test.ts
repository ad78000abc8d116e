import { afterAll, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { startProduct } from '../house/product.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';
import { until } from '../house/until.ts';

const databaseUrl = await createDatabase();
const engines = await ScriptedEngines.start();
const options = { databaseUrl, engines: [engines.entry('reader', { concurrency: 1 })] };
const first = await startProduct(options);
const second = await startProduct(options);
const admin = await openHouseAdmin(databaseUrl);
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
  await admin[Symbol.asyncDispose]();
  await engines[Symbol.asyncDispose]();
});

it('two `npm start` on one database share the work without Redis, and hand over a text that is not kept', async () => {
  const { apiKey } = await makeAccount(admin, { history: false });
  const caller = new Caller(first.url, apiKey);
  const gate = makeGate();
  let calls = 0;
  engines.script('reader', async () => {
    if (++calls > 1) return says('read by the other one');
    await gate.opened;
    return says('read at last');
  });
  const held = caller.ocr(await pictureBody());
  await until('the only place of the first is taken', () => calls === 1);
  const { status, body } = await caller.ocr(await pictureBody());
  expect({ status, text: body.extracted_text }).toEqual({ status: 200, text: 'read by the other one' });
  gate.open();
  expect((await held).body.extracted_text).toBe('read at last');
  expect((await caller.get(`/v1/ocr/${body.request_id}`)).status).toBe(410);
});
