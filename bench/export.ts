import { setTimeout as sleep } from 'node:timers/promises';
import { MALLOC } from '../test/house/malloc.ts';
import { startProduct } from '../test/house/product.ts';
import { withClient } from '../test/house/with-client.ts';
import { compare, type Pair, type Row } from './measure.ts';
import { peakMb, resetPeak, residentMb } from './process-figures.ts';
import { show } from './show.ts';
import { instantEngine, makeKey, openGround } from './stage.ts';

const REQUESTS = 100_000;
const LIMIT_MB = 100;
const SETTLES_MS = 3000;
/** Texts that do not compress to nothing: 40 hexadecimal hashes, 1.3 kB a page. */
const HASHES = 40;

/** What exporting an account takes of the product's memory, above idle; the anchor is the limit. */
export async function benchExport({ rounds }: { rounds: number }): Promise<Row[]> {
  if (process.platform !== 'linux') {
    console.log('\nexport: skipped, only Linux tells a process’s peak');
    return [];
  }
  await using stack = new AsyncDisposableStack();
  const { databaseUrl, engineUrl } = stack.use(await openGround());
  const key = await makeKey(databaseUrl);
  await fill(databaseUrl);
  const pairs: Pair<number>[] = [];
  let bytes = 0;
  let seconds = 0;
  for (let round = 0; round < rounds; round++) {
    // A new process: a heap that has grown once stays large.
    await using product = await startProduct({ databaseUrl, engines: [instantEngine(engineUrl)], env: MALLOC });
    const idleMb = await idle(product.pid);
    resetPeak(product.pid);
    const began = performance.now();
    bytes = await read(new URL('/api/export', product.dashboardUrl), key);
    seconds = (performance.now() - began) / 1000;
    pairs.push({ ours: peakMb(product.pid) - idleMb, anchor: LIMIT_MB });
  }
  const what = `export of ${REQUESTS} requests, ${(bytes / 1e6).toFixed(0)} MB packed in ${seconds.toFixed(0)} s`;
  const rows = [compare({ what, unit: 'MB', better: 'less', bar: 1 }, pairs, (mb) => mb)];
  show(`Peak memory above idle while an account is exported; anchor: ${LIMIT_MB} MB`, rows);
  return rows;
}

/** What it has once its start is over: some of its code is loaded after it listens. */
async function idle(pid: number): Promise<number> {
  for (let before = 0; ; ) {
    const now = residentMb(pid);
    if (now < before + 1) return now;
    before = now;
    await sleep(SETTLES_MS);
  }
}

/** Reads the archive and keeps none of it. */
async function read(url: URL, key: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return bytes;
}

/** Requests of the account that is there, a page each. They are for reading: no ledger is written for them. */
async function fill(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, pages, pages_total,
         text_retained, hold, created_at, started_at, finished_at)
       select 'ocr_00' || lpad(n::text, 24, '0'), (select id from account limit 1), 'instant', 'instant', 'sync',
         '{"url": null, "native": {}, "webhookUrl": null}', 'succeeded', 'succeeded', 1, 1, true, 0, now(), now(), now()
       from generate_series(1, $1::int) n`,
      [REQUESTS],
    );
    await client.query(
      `insert into ocr_page (request_id, number, engine, source, state, text, cost)
       select r.id, 1, 'instant', 'engine', 'read',
         (select string_agg(md5(r.id || i), ' ') from generate_series(1, $1::int) i), 0
       from ocr_request r`,
      [HASHES],
    );
    await client.query('vacuum analyze');
  });
}
