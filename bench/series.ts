import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { startEmbedded } from '../server/src/database/embedded.ts';
import { makeLog } from '../server/src/platform/logging/log.ts';
import { type Product, startProduct } from '../test/house/product.ts';
import { withClient } from '../test/house/with-client.ts';
import { medianMs } from './call-times.ts';
import { openFolder } from './folder.ts';
import { compare, interleave, type Row } from './measure.ts';
import { show } from './show.ts';

const FEW = 10_000;
const ENGINES = ['tesseract', 'pdf-text', 'instant'];
const HOURS = 720;
const DAYS = 365;
const ROLL_UP_PATIENCE_MS = 600_000;
const CALLS: readonly (readonly [name: string, path: string])[] = [
  ['GET /v1/engines/stats', '/v1/engines/stats'],
  ['GET /v1/engines/{id}/stats', '/v1/engines/tesseract/stats'],
  ['GET …/latency?hours=720', `/v1/engines/tesseract/latency?hours=${HOURS}`],
  ['GET …/uptime?days=365', `/v1/engines/tesseract/uptime?days=${DAYS}`],
  ['GET /v1/engines/health', '/v1/engines/health'],
];

/** The series of two installations side by side: one with few attempts in its table, one with many. */
export async function benchSeries({ rounds, seconds, rows: many }: { rounds: number; seconds: number; rows: number }) {
  await using stack = new AsyncDisposableStack();
  const { folder } = stack.use(openFolder());
  const { url } = stack.use(await startEmbedded({ dataDir: join(folder, 'data'), log: makeLog('warn') }));
  const small = stack.use(await openFilled(url, 'few', FEW));
  const large = stack.use(await openFilled(url, 'many', many));

  const rows: Row[] = [];
  for (const [what, path] of CALLS) {
    const measure = (product: Product) => () => medianMs(seconds / CALLS.length, () => call(product.url + path));
    for (const warm of [measure(small), measure(large)]) await warm();
    const pairs = await interleave(rounds, measure(large), measure(small));
    rows.push(compare({ what, unit: 'ms', better: 'less', bar: 1.15 }, pairs, (ms) => ms));
  }
  show(`Series with ${many} attempts in the table (ours) and with ${FEW} (anchor): median of a call, 1 client`, rows);
  return rows;
}

/** A product on a database of its own, with so many attempts in it, all of them rolled up. */
async function openFilled(clusterUrl: string, name: string, attempts: number): Promise<Product> {
  await withClient(clusterUrl, (client) => client.query(`create database ${name}`));
  const databaseUrl = new URL(clusterUrl);
  databaseUrl.pathname = `/${name}`;
  const instant = { id: 'instant', name: 'Instant', provider: 'bench', adapter: 'openai', price_per_page_usd: 0.001 };
  const product = await startProduct({ databaseUrl: databaseUrl.href, engines: [instant] });
  await withClient(databaseUrl.href, async (client) => {
    const started = performance.now();
    await fill(client, attempts);
    await rolledUp(client);
    console.log(`${attempts} attempts were filled in and rolled up in ${Math.round(performance.now() - started)} ms`);
    await client.query('vacuum analyze');
    await client.query('checkpoint'); // or its writing would fall into the measurement
  });
  return product;
}

/** Attempts spread over the hours that are shown, with latencies from 20 ms to 40 s, and a year of checks. */
async function fill(client: Client, attempts: number): Promise<void> {
  await client.query(
    `insert into attempt (id, request_id, number, engine, started_at, finished_at, outcome, provider_latency_ms, pages, billing)
     select 'att_' || n, 'ocr_' || n, 1, ($2::text[])[1 + n % ${ENGINES.length}], at, at,
       case when n % 50 = 0 then 'failed' else 'ok' end, (20 * exp(7.6 * random()))::int, 1, 'settled'
     from (select n, now() - (${HOURS - 1}.0 * n / $1) * interval '1 hour' as at from generate_series(1, $1::int) n) one`,
    [attempts, ENGINES],
  );
  await client.query(
    `insert into engine_day (engine, day, checks, healthy)
     select engine, current_date - n, 288, 280 from unnest($1::text[]) engine, generate_series(1, ${DAYS}) n`,
    [ENGINES],
  );
}

async function rolledUp(client: Client): Promise<void> {
  const deadline = performance.now() + ROLL_UP_PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query(
      'select exists (select from attempt where recorded_xid >= (select recorded_before from roll_up_mark)) as open',
    );
    if (!rows[0]?.open) return;
    if (performance.now() > deadline) throw new Error('the attempts were not rolled up in time');
    await sleep(500);
  }
}

async function call(url: string): Promise<void> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
}
