import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../../test/house/cluster.ts';
import { openPool, type Pool } from '../../database/pool.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { Series } from '../series/series.ts';
import { type Check, ProbeStore } from './probe-store.ts';

const DAY_MS = 86_400_000;
const WELL: Check = { healthy: true, latencyMs: 12, detail: null, fault: null, cost: 0n, usage: null };
const FAILED: Check = { ...WELL, healthy: false, detail: 'no answer in time' };

let pool: Pool;
beforeAll(async () => {
  pool = openPool(await createDatabase(), { max: 8, log: makeLog('silent') });
});
beforeEach(async () => {
  for (const table of ['engine_probe', 'engine_check', 'engine_day']) await pool.query(`delete from ${table}`);
});
afterAll(() => pool.end());

function store(intervalMs = DAY_MS): ProbeStore {
  return new ProbeStore(pool, { intervalMs, limitMs: 60_000 });
}

async function age(column: 'claimed_at' | 'checked_at', ms: number): Promise<void> {
  await pool.query(`update engine_probe set ${column} = ${column} - $1 * interval '1 millisecond'`, [ms]);
}

describe('a probe', () => {
  it('is made by one of many processes that look at the same time', async () => {
    for (const round of [1, 2, 3]) {
      const claims = await Promise.all(Array.from({ length: 8 }, () => store().claim(['b', 'a'])));
      expect(
        claims.filter((claim) => claim.has('a')),
        `round ${round}`,
      ).toHaveLength(1);
      expect(
        claims.filter((claim) => claim.has('b')),
        `round ${round}`,
      ).toHaveLength(1);
      await store().record('a', WELL);
      await store().record('b', WELL);
      await pool.query(`update engine_probe set claimed_at = now() - interval '2 days'`);
    }
  });

  it('is not due before the interval is over', async () => {
    expect(await store().claim(['a'])).toEqual(new Set(['a']));
    await store().record('a', WELL);
    await age('claimed_at', DAY_MS - 60_000);
    expect(await store().claim(['a'])).toEqual(new Set());
    await age('claimed_at', 120_000);
    expect(await store().claim(['a'])).toEqual(new Set(['a']));
  });

  it('that is still under way is not made twice, however short the interval', async () => {
    expect(await store(1).claim(['a'])).toEqual(new Set(['a']));
    await age('claimed_at', 60_000);
    expect(await store(1).claim(['a'])).toEqual(new Set());
  });

  it('whose process died is made by another one', async () => {
    await store(1).claim(['a']);
    await age('claimed_at', 121_000);
    expect(await store(1).claim(['a'])).toEqual(new Set(['a']));
  });

  it('that was given back is due at once', async () => {
    await store().claim(['a']);
    await store().release('a');
    expect(await store().claim(['a'])).toEqual(new Set(['a']));
  });

  it('keeps what it cost and what the provider said of it', async () => {
    const usage = { total_tokens: 7, note: 'NUL \u0000' };
    await store().record('a', { ...WELL, cost: 4_000_000n, usage });
    await store().record('a', { ...FAILED, cost: null });
    const { rows } = await pool.query('select healthy, cost, usage, detail from engine_check order by id');
    expect(rows).toEqual([
      { healthy: true, cost: 4_000_000n, usage, detail: null },
      { healthy: false, cost: null, usage: null, detail: 'no answer in time' },
    ]);
  });
});

it('keeps the checks of four hundred days, and what is left of earlier ones goes by and by', async () => {
  await pool.query(
    `insert into engine_check (engine, healthy, checked_at)
     select e, true, now() - make_interval(days => d) from unnest('{a,b}'::text[]) e, generate_series(390, 412) d`,
  );
  const ages = async () => {
    const text = `select engine, array_agg(extract(day from now() - checked_at)::int order by checked_at desc) as days
                  from engine_check where checked_at < now() - interval '1 day' group by engine order by engine`;
    return (await pool.query(text)).rows;
  };
  const of = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  await store().record('a', WELL);
  expect(await ages()).toEqual([
    { engine: 'a', days: of(390, 402) },
    { engine: 'b', days: of(390, 412) },
  ]);
  await store().record('a', WELL);
  expect((await ages())[0]).toEqual({ engine: 'a', days: of(390, 399) });
});

describe('the latest probes', () => {
  it('count the failures in a row', async () => {
    for (const check of [FAILED, FAILED, WELL, FAILED]) await store().record('a', check);
    expect(await store().latest(['a'])).toEqual(
      new Map([['a', { failures: 1, detail: 'no answer in time', fault: null, checkedAt: expect.any(Date) }]]),
    );
    await store().record('a', { ...FAILED, fault: 'credentials_refused' });
    expect((await store().latest(['a'])).get('a')).toMatchObject({ failures: 2, fault: 'credentials_refused' });
    await store().record('a', WELL);
    expect((await store().latest(['a'])).get('a')).toMatchObject({ failures: 0, detail: null, fault: null });
  });

  it('know a refusal of the credentials until a probe succeeds, or is answered that they are good', async () => {
    const faultAfter = async (check: Partial<Check>) => {
      await store().record('a', { ...FAILED, ...check });
      return (await store().latest(['a'])).get('a')?.fault;
    };
    expect(await faultAfter({ fault: 'credentials_refused' })).toBe('credentials_refused');
    expect(await faultAfter({ fault: null })).toBe('credentials_refused');
    expect(await faultAfter({ fault: 'http_error' })).toBe('credentials_refused');
    expect(await faultAfter({ fault: 'no_credit' })).toBe('no_credit');
    expect(await faultAfter(WELL)).toBeNull();
    expect(await faultAfter({ fault: 'http_error' })).toBe('http_error');
  });

  it('say nothing good any more when nobody renews them', async () => {
    await store().record('a', WELL);
    await age('checked_at', 4 * DAY_MS);
    expect(await store().latest(['a'])).toEqual(new Map());
  });

  it('are no better for being old: what failed has failed until a probe succeeds, as long as it is probed', async () => {
    await store().record('a', FAILED);
    await store().record('a', FAILED);
    await age('checked_at', 4 * DAY_MS);
    expect((await store().latest(['a'])).get('a')).toMatchObject({ failures: 2, detail: 'no answer in time' });
    expect(await store().latest(['b'])).toEqual(new Map());
    await store().record('a', WELL);
    expect((await store().latest(['a'])).get('a')).toMatchObject({ failures: 0 });
  });
});

describe('uptime', () => {
  it('counts the checks of a day, UTC', async () => {
    for (const check of [WELL, WELL, FAILED]) await store().record('a', check);
    const today = (await pool.query(`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day`)).rows[0].day;
    expect(await new Series(pool).uptime('a', 1)).toEqual([
      { date: today, checksTotal: 3, checksHealthy: 2, uptimePct: 66.67 },
    ]);
  });

  it('looks back so many days, today included', async () => {
    await pool.query(`insert into engine_day (engine, day, checks, healthy)
      select 'a', (now() at time zone 'UTC')::date - n, 10, 9 from generate_series(0, 400) n`);
    const series = new Series(pool);
    for (const days of [1, 30, 365]) expect(await series.uptime('a', days)).toHaveLength(days);
    expect((await series.uptime('a', 2)).map(({ uptimePct }) => uptimePct)).toEqual([90, 90]);
  });
});
