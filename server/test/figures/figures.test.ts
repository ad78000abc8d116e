import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../test/house/graphql.ts';
import { until } from '../../../test/house/until.ts';
import { agree } from './agree.ts';
import { checkConsole } from './console-figures.ts';
import { DAYS, type DemoHouse, type Owner, openDemoHouse } from './demo-house.ts';
import { checkDrawn } from './drawn-figures.ts';
import { operationOf, readFace } from './face-documents.ts';
import { FACES, fieldsOf } from './face-numbers.ts';
import { checkLimits } from './limit-figures.ts';
import { everyPage, inOrder, type Paged, type Summary, spans, timesOf, wholeDemo } from './lists.ts';
import { near, withNearMs } from './near.ts';
import {
  chargeFacts,
  dayFacts,
  hourFacts,
  moneyFacts,
  openFacts,
  overviewFacts,
  periodFacts,
  queueFacts,
  refusalFacts,
  statsFacts,
  uptimeFacts,
  windowFacts,
} from './operator-facts.ts';
import { balanceFacts, detailFacts, keyFacts, ledgerFacts, requestFacts, usageFacts } from './owner-facts.ts';
import { checkPages } from './page-figures.ts';
import { checkRest } from './rest-figures.ts';
import { readNumbers, watched } from './watched.ts';

const SEED_LIMIT_MS = 600_000;
/** Requests and transfers on a page. */
const PAGE = 100;
const SPANS = [1, 24, 168, 720];
const CHARGED = [
  ['hourlyCharges(hours', 'hour', 24],
  ['hourlyCharges(hours', 'hour', 720],
  ['dailyCharges(days', 'day', 30],
] as const;
const face = readFace('dashboard/src');

interface Periods {
  readonly latest: object;
  readonly before: object | null;
}

let demo: DemoHouse;

beforeAll(async () => {
  demo = await openDemoHouse();
}, SEED_LIMIT_MS);
afterAll(() => demo?.[Symbol.asyncDispose]());

/** What an operator's answer holds; an error is no answer. */
async function operators<T>(query: string): Promise<T> {
  const { data, codes } = await ask<T>(demo.operator.caller, query);
  expect(codes).toEqual([]);
  return watched('desktop/src', query, data);
}

/** The same of an owner's, as the pages of the dashboard ask. */
async function owners<T>({ browser }: Owner, query: string, variables: object = {}): Promise<T> {
  const { body } = await browser.graphql<{ data: T; errors?: unknown }>(query, variables);
  expect(body.errors).toBeUndefined();
  return watched('dashboard/src', query, body.data);
}

/** What the dashboard gets by one of its documents. */
function dashboard<T>(owner: Owner, name: string, variables: object = {}): Promise<T> {
  return owners<T>(owner, operationOf(face, name), variables);
}

async function summaryOf(owner: Owner, days: object): Promise<Summary> {
  return (await dashboard<{ usageSummary: Summary }>(owner, 'UsageSummary', days)).usageSummary;
}

/** The owner with the fewest requests of the demo, and the one whose requests were sent: their lists are read to the end. */
const readToTheEnd = () => demo.owners.slice(-2);

const nanoOf = (usd: number) => Math.round(usd * 1e9);

describe('what owners are shown', () => {
  it('is what they used, in any days, by day, engine and key', async () => {
    let requests = 0;
    for (const owner of demo.owners) {
      for (const days of spans()) {
        const { total } = await agree(
          async () => inOrder(await usageFacts(demo.pool, owner.accountId, days)),
          async () => inOrder(await summaryOf(owner, days)),
        );
        requests += total.requests;
      }
    }
    expect(requests).toBeGreaterThan(5000);
  });

  it('is what they have, from the ledger and from what is open', async () => {
    let owing = 0;
    for (const owner of demo.owners) {
      const { owed } = await agree(
        () => balanceFacts(demo.pool, owner.accountId),
        async () => {
          type Answer = { account: { balance: Record<'available' | 'held' | 'owed' | 'spent', number> } };
          const { available, held, owed, spent } = (await dashboard<Answer>(owner, 'Me')).account.balance;
          return { available, held, owed, spent };
        },
      );
      if (owed > 0) owing += 1;
    }
    expect(owing).toBeGreaterThan(0);
    expect(await balanceFacts(demo.pool, demo.owners.at(-1)?.accountId ?? '')).toMatchObject({ held: 0.01 });
  });

  it('is every movement of their money, with the balance after it, at any time and in any days', async () => {
    type Answer = { ledger: Paged<object> };
    for (const owner of readToTheEnd()) {
      for (const days of [null, spans()[3] ?? null]) {
        await agree(
          () => ledgerFacts(demo.pool, owner.accountId, days),
          () =>
            everyPage(async (after) => {
              const wish = { first: PAGE, after, ...(days && timesOf(days)) };
              return (await dashboard<Answer>(owner, 'Ledger', wish)).ledger;
            }),
        );
      }
    }
  });

  it('is what their keys were used for', async () => {
    type Answer = { account: { keys: { id: string; usage30Days: object }[] } };
    for (const owner of demo.owners) {
      await agree(
        () => keyFacts(demo.pool, owner.accountId),
        async () => {
          const { account } = await dashboard<Answer>(owner, 'Keys');
          const keys = account.keys.map(({ id, usage30Days }) => ({ id, ...usage30Days }));
          return keys.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        },
      );
    }
  });

  it('is every request, and those that were charged though they were not read', async () => {
    type Answer = { requests: Paged<object> };
    const days = wholeDemo();
    const read = (owner: Owner, filter: object) =>
      everyPage(async (after) => (await dashboard<Answer>(owner, 'Requests', { filter, first: PAGE, after })).requests);
    for (const owner of readToTheEnd()) {
      await agree(
        () => requestFacts(demo.pool, owner.accountId, 'all'),
        () => read(owner, {}),
      );
    }
    for (const owner of demo.owners) {
      const charged = await agree(
        () => requestFacts(demo.pool, owner.accountId, { charged: days }),
        () => read(owner, { chargedFailures: true, ...timesOf(days) }),
      );
      const sum = charged.reduce((total, { cost }) => total + nanoOf(cost), 0);
      expect(sum / 1e9).toBe((await summaryOf(owner, days)).total.chargedOnFailures);
    }
  });

  it('is each request with its attempts, its money and its pages', async () => {
    type Row = Readonly<Record<string, unknown>>;
    const picked = (row: Row, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, row[name]]));
    const each = (rows: unknown, ...names: string[]) => (rows as Row[]).map((row) => picked(row, names));
    for (const owner of demo.owners) {
      const ids = (await detailFacts(demo.pool, owner.accountId)).map(({ id }) => id);
      await agree(
        () => detailFacts(demo.pool, owner.accountId),
        () =>
          Promise.all(
            ids.map(async (id) => {
              const { request } = await dashboard<{ request: Row }>(owner, 'Request', { id });
              return {
                ...picked(request, [
                  'id',
                  'status',
                  'pages',
                  'pagesTotal',
                  'cost',
                  'hold',
                  'providerLatencyMs',
                  'confidence',
                ]),
                attempts: each(request['attempts'], 'number', 'pages', 'providerLatencyMs', 'billing'),
                transfers: each(request['transfers'], 'kind', 'amount'),
                pageResults: each(request['pageResults'], 'number', 'cost'),
              };
            }),
          ),
      );
    }
  });

  it('is each row of the file of their usage, and its sum', async () => {
    type Answer = {
      usageHistory: { total: number; totalCost: number; records: { requestId: string; cost: number }[] };
    };
    const query = `query ($id: ID!, $from: String, $to: String, $page: Int!) {
      usageHistory(userId: $id, from: $from, to: $to, page: $page, perPage: ${PAGE}) {
        total totalCost records { requestId cost } } }`;
    const days = wholeDemo();
    for (const owner of readToTheEnd()) {
      const facts = await requestFacts(demo.pool, owner.accountId, 'all');
      const rows: { requestId: string; cost: number }[] = [];
      for (let page = 1; rows.length < facts.length; page++) {
        const variables = { id: owner.accountId, ...days, page };
        const { usageHistory } = await owners<Answer>(owner, query, variables);
        expect(usageHistory.total).toBe(facts.length);
        const sum = facts.reduce((total, { cost }) => total + nanoOf(cost), 0);
        expect(usageHistory.totalCost).toBe(sum / 1e9);
        if (usageHistory.records.length === 0) break;
        rows.push(...usageHistory.records);
      }
      expect(rows).toEqual(facts.map(({ id, cost }) => ({ requestId: id, cost })));
    }
  });
});

describe('what the console shows by its documents', () => checkConsole(() => demo));

describe('what REST answers', () => checkRest(() => demo));

describe('what operators are shown', () => {
  it.each(SPANS)('is what all engines did in %i h, and the money of these hours', async (hours) => {
    const fields = 'requests failed refused errorRate p50Ms p95Ms p99Ms spent chargedOnFailures owed';
    await agree(
      () => overviewFacts(demo.pool, hours),
      async () => {
        const query = `{ overview(hours: ${hours}) { ${fields} } }`;
        return (await operators<{ overview: object }>(query)).overview;
      },
      (seen, fact) => expect(seen).toEqual(withNearMs(fact)),
    );
  });

  it.each(SPANS)('is what all engines did in %i whole hours, and in as many before', async (hours) => {
    const fields = 'requests failed errorRate p50Ms p95Ms p99Ms spent chargedOnFailures';
    await agree(
      async () => [await periodFacts(demo.pool, hours, 0), await periodFacts(demo.pool, hours, 1)],
      async () => {
        const query = `{ periodComparison(hours: ${hours}) { latest { ${fields} } before { ${fields} } } }`;
        const { latest, before } = (await operators<{ periodComparison: Periods }>(query)).periodComparison;
        return [latest, before];
      },
      // Hours are kept for 31 days: before the last 720 there are not as many.
      (seen, [latest, before]) => expect(seen).toEqual([withNearMs(latest), hours === 720 ? null : withNearMs(before)]),
    );
  });

  it.each(SPANS)('is what each engine did in %i h', async (hours) => {
    type Answer = { engines: { id: string; window: { requests: number } }[] };
    const fields = 'requests errors errorRate p50Ms p95Ms p99Ms spent unavailable';
    await agree(
      () => windowFacts(demo.pool, hours),
      async () => {
        const { engines } = await operators<Answer>(`{ engines { id window(hours: ${hours}) { ${fields} } } }`);
        const busy = engines.filter(({ window }) => window.requests > 0);
        return busy.map(({ id, window }) => ({ id, ...window })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      },
      (seen, facts) => expect(seen).toEqual(facts.map((fact) => withNearMs(fact))),
    );
  });

  it('is what each engine did of all time', async () => {
    type Answer = { engines: { id: string; stats: object | null }[] };
    const query = '{ engines { id stats { totalRequests totalPages errorRate avgLatencyMs lastUsed } } }';
    await agree(
      () => statsFacts(demo.pool),
      async () => {
        const { engines } = await operators<Answer>(query);
        const used = engines.filter(({ stats }) => stats !== null);
        return used.map(({ id, stats }) => ({ id, ...stats })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      },
      (seen, facts) =>
        expect(seen).toEqual(
          facts.map((fact) => ({
            ...fact,
            errorRate: near(fact.errorRate, { by: 0.00005 }),
            avgLatencyMs: near(fact.avgLatencyMs, { by: 1.1 }), // of whole milliseconds a page
          })),
        ),
    );
  });

  it.each(['demo-cumulus', 'tesseract', 'reader'])('is how %s did, hour by hour and day by day', async (engine) => {
    for (const hours of [24, 720]) {
      const fields = 'bucketHour requestCount errorCount p50Ms p95Ms p99Ms';
      const query = `{ engineLatency(id: "${engine}", hours: ${hours}) { data { ${fields} } } }`;
      await agree(
        () => hourFacts(demo.pool, engine, hours),
        async () => (await operators<{ engineLatency: { data: object[] } }>(query)).engineLatency.data,
        (seen, facts) => expect(seen).toEqual(facts.map((fact) => withNearMs(fact))),
      );
    }
    for (const days of [1, DAYS]) {
      const fields = 'date requestCount errorCount p50Ms p95Ms p99Ms';
      const query = `{ engine(id: "${engine}") { dailyLatency(days: ${days}) { ${fields} } } }`;
      await agree(
        () => dayFacts(demo.pool, engine, days),
        async () => (await operators<{ engine: { dailyLatency: object[] } }>(query)).engine.dailyLatency,
        (seen, facts) => expect(seen).toEqual(facts.map((fact) => withNearMs(fact))),
      );
    }
    for (const [name, step, many] of CHARGED) {
      const query = `{ engine(id: "${engine}") { charges: ${name}: ${many}) { since spent } } }`;
      await agree(
        () => chargeFacts(demo.pool, engine, step, many),
        async () => (await operators<{ engine: { charges: object[] } }>(query)).engine.charges,
      );
    }
    for (const days of [DAYS, 365]) {
      const fields = 'totalChecks overallUptimePct data { date checksTotal checksHealthy uptimePct }';
      const query = `{ engineUptime(id: "${engine}", days: ${days}) { ${fields} } }`;
      await agree(
        () => uptimeFacts(demo.pool, engine, days),
        async () => (await operators<{ engineUptime: object }>(query)).engineUptime,
      );
    }
  });

  it('is what was refused, what is late, what waits, and the money of today', async () => {
    type Refused = Readonly<Record<string, unknown>>;
    const kind = (row: Refused) => Object.values(row).join(' ');
    const ordered = (rows: readonly Refused[]) => rows.toSorted((a, b) => (kind(a) < kind(b) ? -1 : 1));
    const refused = await agree(
      async () => ordered(await refusalFacts(demo.pool, 24)),
      async () => {
        const query = '{ refusedCalls(hours: 24) { engine accountId keyId status code calls } }';
        return ordered((await operators<{ refusedCalls: Refused[] }>(query)).refusedCalls);
      },
    );
    expect(refused.length).toBeGreaterThan(1);
    await until('the process says what it works on', async () => {
      const { queues } = await operators<{ queues: unknown[] }>('{ queues { engineId } }');
      return queues.length > 0;
    });
    const open = await agree(
      () => openFacts(demo.pool),
      () => operators('{ pendingCosts { attemptId } queues { engineId queued running } }'),
    );
    expect(open).toMatchObject({ queues: [{ engineId: 'held', running: 1 }] });
    expect(open.pendingCosts.length).toBeGreaterThan(1);
    await agree(
      () => moneyFacts(demo.pool),
      async () => {
        const query = '{ moneyToday { spent chargedOnFailures toppedUp collected held available } }';
        return (await operators<{ moneyToday: object }>(query)).moneyToday;
      },
    );
  });

  it.each(['', 'demo-borealis'])('is how full the queue was (%j)', async (engine) => {
    type Point = { at: string };
    const argument = engine === '' ? '' : `, engine: "${engine}"`;
    const query = `{ queueHistory(hours: 24${argument}) { at queued queuedMax running oldestAgeSeconds } }`;
    await agree(
      () => queueFacts(demo.pool, engine),
      async () => (await operators<{ queueHistory: Point[] }>(query)).queueHistory,
      (seen, facts) => {
        const [first, last] = [facts[0]?.at, facts.at(-1)?.at];
        expect((seen as Point[]).filter(({ at }) => at >= first && at <= last)).toEqual(facts);
        expect(facts.length).toBeGreaterThan(200);
      },
    );
  });
});

describe('what is spent of limits', () => checkLimits(() => demo));

describe('what the console draws', () => checkDrawn(() => demo));

it.each(FACES)('is every number of $folder that is said to be compared', ({ folder, compared }) => {
  const numbers = readNumbers(folder);
  expect(fieldsOf(compared).filter((field) => !numbers.has(field))).toEqual([]);
});

// Last: requests wait from here on.
describe('what pages work out', () => checkPages(() => demo));
