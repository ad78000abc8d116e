import { parseArgs } from 'node:util';
import { startCluster } from '../house/cluster.ts';
import { missingRedis } from '../house/redis.ts';
import { FAULT_KINDS, type FaultKind } from './faults/fault.ts';
import { dieAt, KILL_POINTS } from './kill-point.ts';
import { showReport } from './show-report.ts';
import { runUnderLoad } from './under-load.ts';

const AT_ONCE = 6;

/** `npm run test:durability -- [--seed N] [--seconds S] [--redis] [--only FAULT] | --points`, on a built product. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '60' },
    redis: { type: 'boolean', default: false },
    only: { type: 'string' },
    points: { type: 'boolean', default: false },
  },
});
// Whoever stops the run leaves no process behind: each child ends with the runner's `exit`.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
process.setMaxListeners(0);
process.exitCode = (await (values.points ? dieEverywhere() : strikeUnderLoad())) ? 0 : 1;

async function strikeUnderLoad(): Promise<boolean> {
  const { redis } = values;
  const options = { seed: Number(values.seed), seconds: Number(values.seconds), redis, faults: faultsOf(values.only) };
  const missing = redis ? missingRedis() : null;
  if (missing) throw new Error(missing);
  const where = redis ? 'split over Redis' : 'all in one process';
  console.log(`seed ${options.seed}, ${options.seconds} s, ${where}: ${options.faults.join(', ')}`);
  const report = await runUnderLoad(options);
  console.log(showReport(report));
  return report.broken.length === 0;
}

/** All of them when none is named. */
function faultsOf(only: string | undefined): readonly FaultKind[] {
  if (only === undefined) return FAULT_KINDS;
  const found = FAULT_KINDS.filter((kind) => kind === only);
  if (found.length === 0) throw new Error(`--only takes one of ${FAULT_KINDS.join(', ')}`);
  return found;
}

/** Every kill point, several at a time: most of each is waiting for leases to end. */
async function dieEverywhere(): Promise<boolean> {
  const cluster = await startCluster();
  const left = KILL_POINTS.values();
  let failed = 0;
  const next = async () => {
    for (const killPoint of left) {
      const { broken } = await dieAt(killPoint, await cluster.createDatabase()).catch((error) => ({
        broken: [String(error)],
      }));
      if (broken.length > 0) failed += 1;
      console.log(`${Object.values(killPoint).join(' ')}: ${broken.length === 0 ? 'holds' : broken.join('; ')}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  await cluster.stop();
  console.log(`${KILL_POINTS.length} kill points, ${failed} broken`);
  return failed === 0;
}
