import { expect, it } from 'vitest';
import { agree } from './agree.ts';
import { DAYS, type DemoHouse } from './demo-house.ts';
import { operationOf, readFace } from './face-documents.ts';
import { wholeDemo } from './lists.ts';
import { between, near } from './near.ts';
import { hourFacts, statsFacts, uptimeFacts } from './operator-facts.ts';
import { requestFacts } from './owner-facts.ts';
import { healthFacts, incidentFacts, totalsFacts } from './rest-facts.ts';
import { watched } from './watched.ts';

type Row = Readonly<Record<string, unknown>>;

const LISTS = ['listEngineStats', 'listIncidents'];
const face = readFace('server/src/rest');
const PAGE = 100;
const NOTHING = {
  ...{ total_requests: 0, window_size: 0, success_rate: null, avg_latency_ms: null },
  ...{ p50_latency_ms: null, p95_latency_ms: null, p99_latency_ms: null },
};
/** Of whole milliseconds a page. */
const nearMs = (exact: number | null) => near(exact, { by: 1.1 });
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
/** `requestCount` as `request_count`. */
const named = (row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );

/** What REST answers, the dashboard's page of the status among those who read it, is what the rows say. */
export function checkRest(demo: () => DemoHouse): void {
  const read = async <T>(operation: string, path: string): Promise<T> => {
    const { status, body } = await demo().operator.caller.get<T>(path);
    expect(status).toBe(200);
    return bodyOf(operation, body);
  };
  type Health = { total: number; healthy: number; engines: { engine_id: string; status: string; metrics: Row }[] };
  const engineIds = async () =>
    (await read<Health>('getEnginesHealth', '/v1/engines/health?engines=all')).engines.map((e) => e.engine_id);

  it('is how engines did with their latest calls', async () => {
    let sent = await read<Health>('getEnginesHealth', '/v1/engines/health?engines=all');
    const facts = await agree(
      () => healthFacts(demo().pool),
      async () => {
        sent = await read<Health>('getEnginesHealth', '/v1/engines/health?engines=all');
        return sent.engines.map(({ engine_id: id, metrics }) => ({ id, ...metrics })).toSorted(byId);
      },
      (seen, rows) => {
        const of = new Map(rows.map((row) => [row.id, row]));
        const ids = sent.engines.map(({ engine_id: id }) => id).toSorted();
        expect(seen).toEqual(ids.map((id) => ({ id, ...NOTHING, ...withRanges(of.get(id)) })));
      },
    );
    expect(facts.some(({ window_size: size, total_requests: all }) => size === PAGE && all > PAGE)).toBe(true);
    expect(sent.total).toBe(sent.engines.length);
    expect(sent.healthy).toBe(sent.engines.filter(({ status }) => status === 'healthy').length);
  });

  it.each([1, 90, 365])('is how much of the last %i days each engine was up', async (days) => {
    for (const id of await engineIds()) {
      await agree(
        async () => {
          const { data, ...all } = await uptimeFacts(demo().pool, id, days);
          return { engine_id: id, days, ...named(all), data: data.map(named) };
        },
        async () => {
          const { object, ...answer } = await read<Row>('getEngineUptime', `/v1/engines/${id}/uptime?days=${days}`);
          return answer;
        },
      );
    }
  });

  it('is how each engine did, of all time and hour by hour', async () => {
    const withNearStats = (fact: Row) => ({
      ...named(fact),
      error_rate: near(fact['errorRate'] as number, { by: 0.00005 }),
      avg_latency_ms: nearMs(fact['avgLatencyMs'] as number),
    });
    const statsOf = ({ id, ...fact }: Row) => ({ engine_id: id, ...withNearStats(fact) });
    await agree(
      () => statsFacts(demo().pool),
      async () => (await read<{ data: Row[] }>('listEngineStats', '/v1/engines/stats')).data,
      (seen, facts) => expect(seen).toEqual(facts.map(statsOf)),
    );
    const ids = (await statsFacts(demo().pool)).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(3);
    for (const id of ids) {
      await agree(
        async () => (await statsFacts(demo().pool)).filter((fact) => fact.id === id),
        async () => [await read<Row>('getEngineStats', `/v1/engines/${id}/stats`)],
        (seen, facts) => expect(seen).toEqual(facts.map(statsOf)),
      );
      await agree(
        () => hourFacts(demo().pool, id, 24 * DAYS),
        async () =>
          (await read<{ data: Row[] }>('getEngineLatency', `/v1/engines/${id}/latency?hours=${24 * DAYS}`)).data,
        (seen, facts) =>
          expect(seen).toEqual(
            facts.map(({ bucketHour, ...fact }) => ({
              ...named({ bucketHour, ...fact }),
              p50_ms: near(fact.p50Ms, { share: 0.01, by: 1.1 }),
              p95_ms: near(fact.p95Ms, { share: 0.01, by: 1.1 }),
              p99_ms: near(fact.p99Ms, { share: 0.01, by: 1.1 }),
            })),
          ),
      );
    }
  });

  it('is when engines were not as they should be', async () => {
    const place = (row: Row) => `${row['began_at']} ${row['engine_id']} ${row['impact']}`;
    const ordered = (rows: readonly Row[]) => rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    const incidents = await agree(
      async () => ordered(await incidentFacts(demo().pool)),
      async () => {
        const { data } = await read<{ data: Row[] }>('listIncidents', '/v1/incidents');
        return ordered(data.map(({ id, summary, engine_name, ...incident }) => incident));
      },
    );
    expect(incidents.length).toBeGreaterThan(0);
  });

  it('is what every account used, and has', async () => {
    for (const { accountId, caller } of demo().owners) {
      await agree(
        () => totalsFacts(demo().pool, accountId),
        async () => bodyOf('getUsage', (await caller.get<Row>('/v1/usage')).body),
      );
    }
  });

  it('is every request of an account with its cost, of all engines and of one', async () => {
    const days = wholeDemo();
    type History = { data: Row[]; total: number; total_cost_usd: number };
    for (const { accountId, browser } of demo().owners.slice(-2)) {
      const facts = await requestFacts(demo().pool, accountId, 'all');
      for (const engine of [null, ...new Set(facts.map((fact) => fact.engine))]) {
        const of = (fact: { engine: string }) => engine === null || fact.engine === engine;
        const wish = { user_id: accountId, ...days, ...(engine !== null && { engine }), per_page: String(PAGE) };
        await agree(
          async () => (await requestFacts(demo().pool, accountId, 'all')).filter(of),
          async () => {
            const first = await page(1);
            const rest = Array.from({ length: Math.ceil(first.total / PAGE) - 1 }, (_, n) => page(n + 2));
            return [first, ...(await Promise.all(rest))];
          },
          (seen, rows) => {
            const pages = seen as History[];
            const sum = rows.reduce((total, { cost }) => total + Math.round(cost * 1e9), 0) / 1e9;
            for (const { total, total_cost_usd: cost } of pages)
              expect({ total, cost }).toEqual({ total: rows.length, cost: sum });
            expect(pages.flatMap(({ data }) => data)).toEqual(
              rows.map((row) => ({
                ...{
                  request_id: row.id,
                  created_at: row.createdAt,
                  engine: row.engine,
                  status: row.status,
                  pages: row.pages,
                },
                ...{
                  cost_usd: row.cost,
                  provider_latency_ms: row.providerLatencyMs,
                  mode: row.mode,
                  key_label: row.keyLabel,
                },
              })),
            );
          },
        );
        async function page(n: number): Promise<History> {
          const query = new URLSearchParams({ ...wish, page: String(n) });
          return bodyOf('getUsageHistory', (await browser.get<History>(`/api/usage?${query}`)).body);
        }
      }
    }
  });
}

/** The body of an operation is what its document calls `result`; that of a list has it as `data`. */
function bodyOf<T>(operation: string, body: T): T {
  const query = operationOf(face, operation);
  const isList = LISTS.includes(operation);
  if (!isList) return watched('server/src/rest', query, { result: body }).result;
  const { data } = body as { data: unknown };
  return { ...body, data: watched('server/src/rest', query, { result: data }).result };
}

function withRanges(fact: Awaited<ReturnType<typeof healthFacts>>[number] | undefined) {
  return (
    fact && {
      ...{
        ...fact,
        success_rate: between(fact.success_rate, 0.00005),
        avg_latency_ms: between(fact.avg_latency_ms, 1.1),
      },
      ...{ p50_latency_ms: between(fact.p50_latency_ms, 1.1), p95_latency_ms: between(fact.p95_latency_ms, 1.1) },
      p99_latency_ms: between(fact.p99_latency_ms, 1.1),
    }
  );
}
