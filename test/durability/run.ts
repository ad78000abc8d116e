import { parseArgs } from 'node:util';
import { startCluster } from '../house/cluster.ts';
import { missingRedis } from '../house/redis.ts';
import { dieAt, KILL_POINTS } from './kill-point.ts';
import { killUnderLoad } from './random-kills.ts';
import { showReport } from './show-report.ts';

const AT_ONCE = 6;

/** `npm run test:durability -- [--seed N] [--seconds S] [--redis] | --points`, on a built product. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '60' },
    redis: { type: 'boolean', default: false },
    points: { type: 'boolean', default: false },
  },
});
// Whoever stops the run leaves no process behind: each child ends with the runner's `exit`.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
process.setMaxListeners(0);
process.exitCode = (await (values.points ? dieEverywhere() : killAtRandom())) ? 0 : 1;

async function killAtRandom(): Promise<boolean> {
  const options = { seed: Number(values.seed), seconds: Number(values.seconds), redis: values.redis };
  const missing = options.redis ? missingRedis() : null;
  if (missing) throw new Error(missing);
  console.log(
    `seed ${options.seed}, ${options.seconds} s, ${options.redis ? 'split over Redis' : 'all in one process'}`,
  );
  const report = await killUnderLoad(options);
  console.log(showReport(report));
  return report.broken.length === 0;
}

/** Every kill point, several at a time: most of each is waiting for leases to end. */
async function dieEverywhere(): Promise<boolean> {
  const cluster = await startCluster();
  const left = KILL_POINTS.values();
  let failed = 0;
  const next = async () => {
    for (const killPoint of left) {
      const broken = await dieAt(killPoint, await cluster.createDatabase()).catch((error) => [String(error)]);
      if (broken.length > 0) failed += 1;
      console.log(`${Object.values(killPoint).join(' ')}: ${broken.length === 0 ? 'holds' : broken.join('; ')}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  await cluster.stop();
  console.log(`${KILL_POINTS.length} kill points, ${failed} broken`);
  return failed === 0;
}
