import { afterAll, expect, it } from 'vitest';
import { WIRES } from '../../server/src/engines/adapters/wires/find-wires.ts';
import { openHouseAdmin } from '../house/admin.ts';
import { createDatabase } from '../house/cluster.ts';
import { ENDINGS } from './endings.ts';
import { type MeasuredEnding, measureEndings } from './measure.ts';
import type { Price } from './prices.ts';
import { showEndings } from './show-endings.ts';

type Money = readonly [debitedUsd: number, billing: string];
type Costs = Readonly<Record<Price, Money>>;

const FREE: Money = [0, 'none'];
const PENDING: Money = [0, 'pending'];
const TOKENS: Money = [0.0033, 'settled'];
const costs = (known: Money, unknown: Money, tokens: Money): Costs => ({
  'page price, known provider cost': known,
  'page price, unknown provider cost': unknown,
  'token price': tokens,
});
/** The pages are sold: the provider's cost is in their price. */
const SOLD = costs([0.01, 'none'], [0.01, 'none'], TOKENS);
const UNBILLED = costs(FREE, FREE, FREE);
/** The provider has taken its part, and says of tokens how many. */
const AT_COST = costs([0.004, 'settled'], PENDING, TOKENS);
/** It may have taken it, and says nothing. */
const UNSAID = costs([0.004, 'settled'], PENDING, PENDING);

/** What the caller gets, what of it is an attempt that failed, and what it costs. */
const EXPECTED: Record<string, readonly [httpStatus: number, outcome: string, attempt: string, costs: Costs]> = {
  'transport failure': [502, 'provider_error', 'failed', UNBILLED],
  'transport failure within the answer': [202, 'refunded', 'failed', UNSAID],
  timeout: [503, 'timeout', 'timeout', UNSAID],
  'not the shape of an answer': [202, 'refunded', 'failed', UNSAID],
  '401 or what the provider has for a wrong key': [502, 'provider_error', 'failed', UNBILLED],
  '429, rate': [502, 'provider_error', 'failed', UNBILLED],
  '429, quota, or what the provider has for no credit': [502, 'provider_error', 'failed', UNBILLED],
  '5xx': [502, 'provider_error', 'failed', UNBILLED],
  '400, the picture cannot be read': [422, 'unprocessable_entity', 'unreadable', UNBILLED],
  '400, content filter': [202, 'refunded', 'refused', UNBILLED],
  'refusal in the answer': [202, 'refunded', 'refused', AT_COST],
  'refusal in prose': [202, 'refunded', 'refused', AT_COST],
  'truncated, with text': [200, 'partial', 'truncated', AT_COST],
  'truncated, without text': [202, 'refunded', 'truncated', AT_COST],
  'no text': [202, 'refunded', 'empty', AT_COST],
  loop: [200, 'partial', 'truncated', AT_COST],
  'text, no finish reason': [200, 'succeeded', 'ok', SOLD],
  'text, unknown finish reason': [200, 'succeeded', 'ok', SOLD],
  text: [200, 'succeeded', 'ok', SOLD],
};

const databaseUrl = await createDatabase();
const admin = await openHouseAdmin(databaseUrl);
afterAll(() => admin[Symbol.asyncDispose]());
const measured = await measureEndings(databaseUrl, admin);

it('knows every ending', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(ENDINGS.map(({ name }) => name).sort());
});

it.each(ENDINGS.map(({ name }) => name))(
  '%s is the same for the caller and for the money, whatever the adapter',
  (name) => {
    const found = measured.filter(({ ending }) => ending === name);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(found.map((one) => ({ ...one, ...expectedOf(one) })));
  },
);

it('says what it takes, and errors take nothing', () => {
  for (const { saidUsd, debitedUsd } of measured) expect(saidUsd ?? 0).toBe(debitedUsd);
});

it('is shown with a row for each adapter and ending', () => {
  const rows = showEndings(measured).split('\n').slice(2);
  expect(rows).toHaveLength(new Set(measured.map(({ adapter, ending }) => `${adapter} ${ending}`)).size);
});

function expectedOf({ adapter, isLocal, ending, price }: MeasuredEnding): Partial<MeasuredEnding> {
  const usualEnd = EXPECTED[ending] ?? ([0, '', '', UNBILLED] as const);
  const [, , attempt, usual] = usualEnd;
  // Programs of our own send no bill: what of a hosted one may have been billed is a plain failure of theirs.
  const isPlain = isLocal && attempt === 'failed';
  const [httpStatus, outcome] = isPlain ? [502, 'provider_error'] : usualEnd;
  const wire = WIRES.find((one) => one.adapter.name === adapter);
  const own = ending === '400, content filter' && wire?.filteredBilled === 'unknown' ? UNSAID : usual;
  const [debitedUsd, billing] = isLocal && own !== SOLD ? FREE : own[price];
  return { httpStatus, outcome, attempt, debitedUsd, billing };
}
