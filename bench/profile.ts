import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { until } from '../test/house/until.ts';
import { writeNoiseBody } from './noise-body.ts';
import { cpuMs } from './process-figures.ts';
import { modulesOf, type Profile } from './profile-modules.ts';
import { SMALL } from './sending.ts';
import { openStage } from './stage.ts';

/**
 * `npm run profile -- [--seconds 15] [--clients 16] [--out ocr-router.cpuprofile]`, on a built product: where the service's
 * processor time goes under the gateway benchmark's load. The file opens as a flame graph in Chrome's DevTools
 * (Performance, "Load profile"), in VS Code and at speedscope.app.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    clients: { type: 'string', default: '16' },
    out: { type: 'string', default: 'ocr-router.cpuprofile' },
  },
});
const SHOWN = 30;
const STATISTICS_MS = 2000;
const out = resolve(values.out);
const profiler = new URL(`processes/profiler.ts?${new URLSearchParams({ to: out })}`, import.meta.url).href;
rmSync(out, { force: true });
// The modules as tsc wrote them, not the bundle, so that the profile has their names.
const env = { NODE_OPTIONS: `--conditions=unbundled --import=${profiler}` };

await using stage = await openStage({ env });
const bodyFile = await writeNoiseBody(stage.folder, SMALL);
const order = { clients: Number(values.clients), paths: ['/v1/ocr'], bodyFile };
const load = () => stage.load(stage.product, { ...order, seconds: Number(values.seconds) });
await load(); // compiled then, as in service
await showCosts();
process.kill(stage.product.pid, 'SIGUSR2');
const { perSecond } = await load();
process.kill(stage.product.pid, 'SIGUSR2');
await until('the profile is written', () => existsSync(out) && readFileSync(out, 'utf8').endsWith('}'));

const profile = JSON.parse(readFileSync(out, 'utf8')) as Profile; // as V8 writes it
console.log(`${perSecond.toFixed(0)} requests/s while it was taken; ${out}`);
console.log('\nself time, of what was not idle:');
for (const { name, share } of modulesOf(profile).slice(0, SHOWN)) {
  console.log(`  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
}

/** What one request costs, without the profiler: of the database, of the process. */
async function showCosts(): Promise<void> {
  const client = new pg.Client(stage.databaseUrl);
  await client.connect();
  const before = { ...(await databaseCosts(client)), cpuMs: cpuMs(stage.product.pid) };
  const { answers } = await load();
  const processorMs = cpuMs(stage.product.pid) - before.cpuMs;
  await sleep(STATISTICS_MS); // connections report theirs a little later
  const after = await databaseCosts(client);
  await client.end();
  const each = (total: number) => (total / answers).toFixed(2);
  console.log(
    `each of ${answers} requests at ${order.clients} clients: ${each(processorMs)} ms of processor, ` +
      `${each(after.transactions - before.transactions)} transactions, ` +
      `${each((after.walBytes - before.walBytes) / 1000)} kB of write-ahead log`,
  );
}

/** Since the database was made. */
async function databaseCosts(client: pg.Client): Promise<{ transactions: number; walBytes: number }> {
  const { rows } = await client.query(
    `select (select xact_commit + xact_rollback from pg_stat_database where datname = current_database())::float8 as transactions,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walBytes"`,
  );
  return rows[0];
}
