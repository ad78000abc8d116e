import { afterAll, expect, it } from 'vitest';
import { wire as anthropicWire } from '../../../server/src/engines/adapters/anthropic/wire.ts';
import { wire as geminiWire } from '../../../server/src/engines/adapters/gemini/wire.ts';
import { ScriptedProvider } from '../../../server/src/engines/adapters/wires/scripted-provider.ts';
import { KEY } from '../../../server/src/engines/adapters/wires/wire-type.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';

const provider = await ScriptedProvider.start();
const byTokens = {
  base_url: provider.origin,
  api_key: KEY,
  token_prices: { input_per_million_usd: 3, output_per_million_usd: 15 },
  provider_cost_per_page_usd: null,
};
const house = await openHouse({
  engines: { claude: { ...byTokens, adapter: 'anthropic' }, gemini: { ...byTokens, adapter: 'gemini' } },
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

it.each([
  ['claude', anthropicWire],
  ['gemini', geminiWire],
] as const)('charges what the tokens of %s cost, with those that were cached or thought', async (engine, wire) => {
  const { accountId, caller } = await house.account({ credit: 1 });
  provider.script(wire.answers.ok ?? { status: 500, body: '' });
  const { status, body } = await caller.ocr(await pictureBody(engine));
  expect([status, body.cost_debited]).toEqual([200, 0.0033]);
  await expectBalance(house, accountId, 0.9967);
});

it('charges a refusal with the tokens that it took', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  provider.script(geminiWire.answers.refused ?? { status: 500, body: '' });
  const { status, body } = await caller.ocr(await pictureBody('gemini'));
  expect([status, body.status, body.cost_debited]).toEqual([202, 'refunded', 0.0033]);
  await expectBalance(house, accountId, 0.9967);
});

it('charges nothing yet for a page that the output filter stopped, because nobody said what it cost', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const message = 'Output blocked by content filtering policy';
  provider.script({ status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } });
  const { status, body } = await caller.ocr(await pictureBody('claude'));
  expect([status, body.status, body.cost_debited]).toEqual([202, 'refunded', 0]);
  expect(body.provider_error).toContain(message);
  await expectBalance(house, accountId, 1);
});
