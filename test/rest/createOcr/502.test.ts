import { afterAll, expect, it } from 'vitest';
import { breaks, type EngineAnswer, fails, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { ask } from '../../house/graphql.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';

const FAILURES: Record<string, EngineAnswer> = {
  'HTTP 500': fails(500, 'the provider fell over'),
  'HTTP 503': fails(503, 'overloaded'),
  'HTTP 429': fails(429, 'slow down', 'rate_limit_exceeded'),
  'HTTP 429, quota': fails(429, 'no quota left', 'insufficient_quota'),
  'HTTP 401': fails(401, 'bad key provider-secret', 'invalid_api_key'),
  'HTTP 404': fails(404, 'no such model', 'model_not_found'),
  'a broken connection': breaks,
};

// One engine for each failure: five failures in a row would open the circuit of an engine.
const idOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const house = await openHouse({ engines: Object.fromEntries(Object.keys(FAILURES).map((name) => [idOf(name), {}])) });
afterAll(() => house[Symbol.asyncDispose]());

it.each(Object.entries(FAILURES))(
  'the engine answers with %s: nothing is charged and the key stays free',
  async (name, answer) => {
    const engine = idOf(name);
    const { accountId, caller } = await house.account({ credit: 1 });
    const body = await pictureBody(engine);
    house.engines.script(engine, answer);
    expectError(await caller.ocr(body, { key: 'again' }), 502, 'provider_error');
    await expectBalance(house, accountId, 1);
    house.engines.script(engine, says('better now'));
    const { status, headers, body: result } = await caller.ocr(body, { key: 'again' });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('idempotent-replayed');
    expect(result).toMatchObject({ status: 'succeeded', extracted_text: 'better now', cost_debited: 0.01 });
    await expectBalance(house, accountId, 0.99);
  },
);

it('never gives away the provider’s key', async () => {
  const { caller } = await house.account();
  house.engines.script('http-401', fails(401, 'Incorrect API key provided: provider-secret', 'invalid_api_key'));
  expect((await caller.ocr(await pictureBody('http-401'))).text).not.toContain('provider-secret');
});

it('says of the attempt what was wrong at the provider, in a code', async () => {
  const { caller } = await house.account();
  house.engines.script('http-401', fails(401, 'bad key', 'invalid_api_key'));
  expectError(await caller.ocr(await pictureBody('http-401')), 502, 'provider_error');
  house.engines.script('a-broken-connection', breaks);
  expectError(await caller.ocr(await pictureBody('a-broken-connection')), 502, 'provider_error');
  const { data } = await ask(caller, '{ requests(first: 2) { nodes { attempts { engine providerFault } } } }');
  expect(data).toMatchObject({
    requests: {
      nodes: [
        { attempts: [{ engine: 'a-broken-connection', providerFault: null }] },
        { attempts: [{ engine: 'http-401', providerFault: 'credentials_refused' }] },
      ],
    },
  });
});

it('leaves the key free for another document, too', async () => {
  const { caller } = await house.account();
  house.engines.script('http-500', fails(500, 'down'));
  expectError(await caller.ocr(await pictureBody('http-500'), { key: 'again' }), 502, 'provider_error');
  house.engines.script('http-500', says('another one'));
  expect((await caller.ocr(await pictureBody('http-500'), { key: 'again' })).body.extracted_text).toBe('another one');
});

it('calls the engine once for a request: retrying is the caller’s choice', async () => {
  const { caller } = await house.account();
  house.engines.reset();
  house.engines.script('http-503', fails(503, 'overloaded'));
  await caller.ocr(await pictureBody('http-503'));
  expect(house.engines.calls('http-503')).toHaveLength(1);
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});
