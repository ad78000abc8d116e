import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { cutsShort, type EngineAnswer, fails, filters, says } from '../house/engine-answers.ts';
import { type HouseAccount, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';

const priced = { benchmark: { hard_score: 80, easy_score: 99, measured_at: '2026-11-01' }, timeout_ms: 60_000 };
const house = await openHouse({
  engines: {
    flat: priced, // 0.01 a page, of which the provider takes 0.004
    silent: { provider_cost_per_page_usd: null },
    dear: { provider_cost_per_page_usd: 0.05 },
    tokens: { provider_cost_per_page_usd: null, token_prices: { input_per_million_usd: 1, output_per_million_usd: 2 } },
    spare: { ...priced, price_per_page_usd: 0.008 },
  },
});
afterAll(() => house[Symbol.asyncDispose]());

const PRICE = 10_000_000n;
const usage = { prompt_tokens: 30_001, completion_tokens: 7 };
const ENDINGS = { read: says('fine', usage), filtered: filters(), cut: cutsShort('as far'), down: fails(400, 'odd') };
type Ending = keyof typeof ENDINGS;
type Engine = 'flat' | 'silent' | 'dear' | 'tokens';
/** `max_cost_usd`, in nano-USD: none, less than a page costs, and more. */
type Cap = null | 9_000_000n | 20_000_000n | 45_000_000n;

/** Fifty lines of what the money of an account must be; nano-USD. */
class Model {
  posted = 0n;
  owed = 0n;
  spent = 0n;
  pages = 0n;
  /** The most that each cost may come to that is not known yet, oldest first. */
  pending: Cap[] = [];

  charge(cost: bigint, cap: Cap): void {
    const amount = cap === null || cost < cap ? cost : cap;
    const paid = amount < this.posted ? amount : this.posted;
    this.posted -= paid;
    this.owed += amount - paid;
    this.spent += amount;
  }

  submit(engine: Engine, ending: Ending, { fallback, cap }: Pick<Submit, 'fallback' | 'cap'>): void {
    if (this.posted < PRICE || (engine === 'tokens' && this.owed > 0n)) return;
    if (cap !== null && (cap < PRICE || engine === 'tokens')) return; // 402, and 400: the worst of tokens is not known
    if (ending === 'down') return;
    if (ending === 'read' || ending === 'cut') this.pages++;
    const isRetried = ending === 'filtered' && engine === 'flat' && fallback;
    if (isRetried) this.pages++;
    if (ending === 'read') this.charge(engine === 'tokens' ? 30_015_000n : PRICE, cap);
    else if (isRetried)
      this.charge(PRICE, cap); // 0.004 + 0.008, capped by the price
    else if (engine === 'silent' || engine === 'tokens') this.pending.push(cap);
    else this.charge(engine === 'dear' ? 50_000_000n : 4_000_000n, cap);
  }

  topUp(amount: bigint): void {
    const collected = amount < this.owed ? amount : this.owed;
    this.owed -= collected;
    this.posted += amount - collected;
  }
}

/** `charged`: what may still be given back for a request, as far as it was charged at its end. */
type Real = HouseAccount & { readonly requests: Set<string>; readonly charged: Map<string, bigint> };

async function pendingOf({ requests }: Real): Promise<{ attempt_id: string }[]> {
  return (await house.admin.pendingBilling()).data.filter(({ request_id }) => requests.has(request_id));
}

class Submit implements fc.AsyncCommand<Model, Real> {
  constructor(
    readonly engine: Engine,
    readonly ending: Ending,
    readonly fallback: boolean,
    readonly cap: Cap,
    readonly times: number,
  ) {}

  check = () => true;
  toString = () => `${this.times} × ${this.ending} by ${this.engine} ${JSON.stringify(this.#fields())}`;

  async run(model: Model, { caller, requests, charged }: Real): Promise<void> {
    const answer: EngineAnswer = ENDINGS[this.ending];
    for (const id of ['flat', 'silent', 'dear', 'tokens']) house.engines.script(id, answer);
    // Which of several at once is refused for want of money depends on their order: enough for all, or one at a time.
    const atOnce = model.owed === 0n && model.posted >= 200_000_000n ? this.times : 1;
    const bodies = await Promise.all(Array.from({ length: atOnce }, () => pictureBody(this.engine, this.#fields())));
    const replies = await Promise.all(bodies.map((body) => caller.ocr(body)));
    for (const { body } of replies) {
      requests.add(body.request_id);
      if (body.cost_debited) charged.set(body.request_id, BigInt(Math.round(body.cost_debited * 1e9)));
    }
    for (let n = 0; n < atOnce; n++) model.submit(this.engine, this.ending, this);
  }

  #fields() {
    return {
      ...(this.fallback && { fallback: true }),
      ...(this.cap !== null && { max_cost_usd: Number(this.cap) / 1e9 }),
    };
  }
}

class Verify implements fc.AsyncCommand<Model, Real> {
  constructor(readonly microUsd: number) {}

  check = (model: Readonly<Model>) => model.pending.length > 0;
  toString = () => `verify ${this.microUsd} micro-USD`;

  async run(model: Model, real: Real): Promise<void> {
    const [oldest] = await pendingOf(real);
    const twice = [1, 2].map(() => house.admin.verifyBilling(oldest?.attempt_id ?? '', this.microUsd / 1e6));
    const answers = await Promise.allSettled(twice);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    model.charge(BigInt(this.microUsd) * 1000n, model.pending.shift() ?? null);
  }
}

class TopUp implements fc.AsyncCommand<Model, Real> {
  constructor(readonly microUsd: number) {}

  check = () => true;
  toString = () => `top up ${this.microUsd} micro-USD`;

  async run(model: Model, { accountId }: Real): Promise<void> {
    await house.admin.addCredit(accountId, this.microUsd / 1e6);
    model.topUp(BigInt(this.microUsd) * 1000n);
  }
}

class Adjust implements fc.AsyncCommand<Model, Real> {
  constructor(readonly microUsd: number) {}

  check = () => true;
  toString = () => `adjust by ${this.microUsd} micro-USD`;

  async run(model: Model, { accountId }: Real): Promise<void> {
    const amount = BigInt(this.microUsd) * 1000n;
    const made = house.admin.adjustCredit(accountId, this.microUsd / 1e6, { reason: 'a model' });
    if (model.posted + amount < 0n) return expect(made).rejects.toMatchObject({ code: 'insufficient_balance' });
    await made;
    if (amount < 0n) model.posted += amount;
    else model.topUp(amount);
  }
}

class Refund implements fc.AsyncCommand<Model, Real> {
  constructor(readonly microUsd: number) {}

  check = (model: Readonly<Model>) => model.spent > 0n;
  toString = () => `refund ${this.microUsd} micro-USD`;

  async run(model: Model, { charged }: Real): Promise<void> {
    const [id, left] = [...charged].find(([, rest]) => rest > 0n) ?? ['', 0n];
    const wanted = BigInt(this.microUsd) * 1000n;
    const amount = wanted < left ? wanted : left;
    if (amount === 0n) return;
    // The same one several times at once, under one key: it is made once.
    const correction = { reason: 'a model', key: `${id} ${left}` };
    await Promise.all([1, 2, 3].map(() => house.admin.refund(id, Number(amount) / 1e9, correction)));
    charged.set(id, left - amount);
    model.topUp(amount);
  }
}

async function expectAsModelled(model: Model, real: Real): Promise<void> {
  const { accountId, caller } = real;
  const { balance_usd, held_usd, owed_usd } = await house.admin.showAccount(accountId);
  const { total_spent_usd, total_pages } = (await caller.get<Record<string, number>>('/v1/usage')).body;
  const nano = (usd: number | undefined) => BigInt(Math.round((usd ?? Number.NaN) * 1e9));
  expect({
    posted: nano(balance_usd),
    held: nano(held_usd),
    owed: nano(owed_usd),
    spent: nano(total_spent_usd),
    pages: BigInt(total_pages ?? -1),
    pending: (await pendingOf(real)).length,
  }).toEqual({ held: 0n, ...model, pending: model.pending.length });
}

const commands = [
  fc
    .tuple(
      fc.constantFrom<Engine>('flat', 'silent', 'dear', 'tokens'),
      fc.constantFrom<Ending>('read', 'filtered', 'cut', 'down'),
      fc.boolean(),
      fc.constantFrom<Cap>(null, null, 9_000_000n, 20_000_000n, 45_000_000n),
      fc.integer({ min: 1, max: 4 }),
    )
    .map((parts) => new Submit(...parts)),
  fc.integer({ min: 1, max: 90_000 }).map((amount) => new Verify(amount)),
  fc.integer({ min: 1, max: 400_000 }).map((amount) => new TopUp(amount)),
  fc
    .integer({ min: -200_000, max: 100_000 })
    .filter((amount) => amount !== 0)
    .map((amount) => new Adjust(amount)),
  fc.integer({ min: 1, max: 20_000 }).map((amount) => new Refund(amount)),
];

it('is what a model of fifty lines says, whatever happens in which order', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 25, size: 'max' }), async (run) => {
      const real: Real = { ...(await house.account({ credit: 0.25 })), requests: new Set(), charged: new Map() };
      const model = new Model();
      model.topUp(250_000_000n);
      await fc.asyncModelRun(() => ({ model, real }), run);
      await expectAsModelled(model, real);
      expect((await house.admin.doctor()).checks.filter(({ ok }) => !ok)).toEqual([]);
      while (model.pending.length > 0) await new Verify(1).run(model, real);
      await expectAsModelled(model, real);
    }),
    // A failure prints its seed and path; MONEY_SEED runs it again, MONEY_RUNS looks longer.
    {
      numRuns: Number(process.env['MONEY_RUNS'] ?? 8),
      ...(process.env['MONEY_SEED'] && { seed: Number(process.env['MONEY_SEED']) }),
    },
  );
});
