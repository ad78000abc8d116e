import { afterAll, describe, expect, it } from 'vitest';
import { WIRES } from '../../server/src/engines/adapters/wires/find-wires.ts';
import { ScriptedProvider } from '../../server/src/engines/adapters/wires/scripted-provider.ts';
import { KEY, type Wire } from '../../server/src/engines/adapters/wires/wire-type.ts';
import { expectBalance } from '../house/expect-money.ts';
import { ask } from '../house/graphql.ts';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';

/** Every adapter whose provider reports tokens and bills for them. */
const BY_TOKENS = WIRES.filter((wire) => wire.usage?.inputTokens != null && !wire.adapter.local);

const provider = await ScriptedProvider.start();
const house = await openHouse({
  engines: Object.fromEntries(
    BY_TOKENS.map((wire) => [
      wire.adapter.name,
      {
        adapter: wire.adapter.name,
        base_url: `${provider.origin}${wire.basePath}`,
        api_key: KEY,
        model: wire.engine.model ?? null,
        token_prices: { input_per_million_usd: 3, output_per_million_usd: 15, fee_per_call_usd: 0.001 },
        provider_cost_per_page_usd: 0.004, // known, and yet no answer to what these tokens cost
      },
    ]),
  ),
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const ABSURD: [string, unknown][] = [
  ['NaN as a word', 'NaN'],
  ['negative', -5],
  ['a billion', 1e9],
  ['beyond what a number holds', 1e300],
  ['half a token', 0.5],
  ['more than the call was allowed to write and its picture explains', 100_000],
  ['true', true],
];

describe.each(BY_TOKENS.map((wire) => [wire.adapter.name, wire] as const))('a usage of %s that is', (engine, wire) => {
  it.each(ABSURD)('%s is pending, flagged, and charged by nobody', async (_name, count) => {
    const { accountId, apiKey, caller } = await house.account({ credit: 1 });
    provider.script(withUsage(wire, count));
    const { status, body } = await caller.ocr(await pictureBody(engine));
    expect([status, body.status, body.cost_debited]).toEqual([200, 'succeeded', 0]);
    expect(body.warnings?.join(' ')).toMatch(/billing is pending/);
    const query = `{ ocrRequest(id: "${body.request_id}") { attempts { billing cost message } } }`;
    const { data } = await ask<{ ocrRequest: unknown }>(house.callerWith(apiKey), query);
    expect(data.ocrRequest).toEqual({
      attempts: [{ billing: 'pending', cost: 0, message: expect.stringMatching(/not credible/) }],
    });
    const { data: pending } = await house.admin.pendingBilling();
    expect(pending.filter(({ request_id }) => request_id === body.request_id)).toHaveLength(1);
    await expectBalance(house, accountId, 1);
  });

  it('missing leaves the cost that is known', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    provider.script(withUsage(wire, undefined));
    const { body } = await caller.ocr(await pictureBody(engine));
    expect(body).toMatchObject({ status: 'succeeded' });
    expect(body.cost_debited).toBe(0.004); // nothing speaks against the cost that is known
    await expectBalance(house, accountId, 0.996);
  });
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});

/** The text, with this in place of every count of the usage; without any when undefined. */
function withUsage({ answers }: Wire, count: unknown) {
  const { ok } = answers;
  if (!ok || typeof ok === 'function') throw new Error('a wire that is polled reports no tokens');
  const body = Object.entries(ok.body as object).map(([name, value]) => {
    if (!/usage/i.test(name)) return [name, value];
    return [name, Object.fromEntries(Object.keys(value).map((field) => [field, count]))];
  });
  return { ...ok, body: Object.fromEntries(body) };
}
