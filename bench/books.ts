import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerProof, PROOF_NAME } from '../server/src/billing/ledger-proof.ts';
import { startEmbedded } from '../server/src/database/embedded.ts';
import { makeLog } from '../server/src/platform/logging/log.ts';
import { fillBooks } from '../test/house/books-table.ts';
import { freePorts } from '../test/house/free-ports.ts';
import { startProduct } from '../test/house/product.ts';
import { withClient } from '../test/house/with-client.ts';
import { startChild } from './child.ts';
import { openFolder } from './folder.ts';
import { compare, interleave, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { cpuMs } from './process-figures.ts';
import { show } from './show.ts';
import { instantEngine, load, makeKey } from './stage.ts';

const ACCOUNTS = 1000;
const CLIENTS = 4;
const LIMIT_SECONDS = 10;
const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 600_000;

/** How long a proof of many requests works, and what requests notice of it. */
export async function benchDoctor({ rounds, seconds, rows: many }: { rounds: number; seconds: number; rows: number }) {
  await using stack = new AsyncDisposableStack();
  const { folder } = stack.use(openFolder());
  const { url } = stack.use(
    await startEmbedded({ dataDir: join(folder, 'data'), log: makeLog('warn'), durable: false }),
  );
  const [enginePort = 0] = await freePorts(1);
  stack.use(await startChild('bench/processes/engine.ts', String(enginePort), '0'));
  const engines = [instantEngine(`http://127.0.0.1:${enginePort}/v1`)];
  const product = stack.use(await startProduct({ databaseUrl: url, engines }));
  const key = await makeKey(url);
  await fill(url, many);

  const proof = new LedgerProof(url);
  const prove = async (full: boolean) => {
    const started = performance.now();
    const bad = (await proof.check({ full })).filter(({ ok }) => !ok);
    if (bad.length > 0) throw new Error(`the books are not in order: ${JSON.stringify(bad)}`);
    return (performance.now() - started) / 1000;
  };
  const bodyFile = await writeNoiseBody(folder, { width: 61, height: 61 });
  const target = { port: Number(new URL(product.url).port), pid: product.pid, key };
  const post = () => load(target, { clients: CLIENTS, seconds, paths: ['/v1/ocr'], bodyFile });
  for (let warm = 0; warm < 3; warm++) await post();

  const limit = async () => ({ seconds: LIMIT_SECONDS, workSeconds: LIMIT_SECONDS });
  const first = await interleave(1, () => measured(url, () => prove(true)), limit);
  const later = await interleave(rounds, () => measured(url, () => prove(false)), limit);
  const rows: Row[] = [];
  const time = { unit: 's', better: 'less' } as const;
  for (const [what, proofs] of [
    [`first proof of ${many} requests`, first],
    ['the next proof', later],
  ] as const) {
    rows.push(compare({ what: `${what}, work : limit`, ...time, bar: 1 }, proofs, (taken) => taken.workSeconds));
    rows.push(compare({ what: `${what}, time : limit`, ...time, bar: null }, proofs, (taken) => taken.seconds));
  }
  for (const full of [false, true]) {
    const beside = await interleave(rounds, () => whileProving(() => prove(full), post), post);
    const what = `POST p99 beside ${full ? 'full proofs' : 'proofs'} : quiet`;
    const bar = full ? null : 1.2;
    rows.push(compare({ what, unit: 'ms', better: 'less', bar }, beside, ({ p99Ms }) => p99Ms));
  }
  show(`doctor over ${many} requests of ${ACCOUNTS} accounts; POST with ${CLIENTS} clients, not durable`, rows);
  return rows;
}

/** How long a proof takes, and the processor time of its connection, which other programs of the machine do not change. */
async function measured(url: string, prove: () => Promise<number>): Promise<{ seconds: number; workSeconds: number }> {
  let [busy, workMs] = [true, 0];
  return withClient(url, async (client) => {
    const proving = prove().finally(() => {
      busy = false;
    });
    while (busy) {
      const { rows } = await client.query('select pid from pg_stat_activity where application_name = $1', [PROOF_NAME]);
      for (const { pid } of rows) workMs = Math.max(workMs, workOf(pid));
      await sleep(LOOK_EVERY_MS);
    }
    return { seconds: await proving, workSeconds: workMs / 1000 };
  });
}

/** 0 for a process that has just ended. */
function workOf(pid: number): number {
  try {
    return cpuMs(pid);
  } catch {
    return 0;
  }
}

/** Proofs one after the other for as long as the work takes. */
async function whileProving<T>(prove: () => Promise<number>, work: () => Promise<T>): Promise<T> {
  let busy = true;
  const proving = (async () => {
    while (busy) await prove();
  })();
  const result = await work().finally(() => {
    busy = false;
  });
  await proving;
  return result;
}

async function fill(url: string, requests: number): Promise<void> {
  await withClient(url, async (client) => {
    const started = performance.now();
    await fillBooks(client as never, { accounts: ACCOUNTS, requests }); // it only asks for `query`
    await client.query('vacuum analyze');
    const deadline = performance.now() + PATIENCE_MS;
    while ((await client.query('select from usage_event limit 1')).rowCount !== 0) {
      if (performance.now() > deadline) throw new Error('usage was not rolled up in time');
      await sleep(500);
    }
    await client.query('checkpoint');
    console.log(`${requests} requests were filled in in ${Math.round((performance.now() - started) / 1000)} s`);
  });
}
