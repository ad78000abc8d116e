import { parseArgs } from 'node:util';
import { missingRedis } from '../house/redis.ts';
import { killUnderLoad } from './random-kills.ts';
import { showReport } from './show-report.ts';

/** `npm run test:durability -- [--seed N] [--seconds S] [--redis]`, on a built product. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '60' },
    redis: { type: 'boolean', default: false },
  },
});
const options = { seed: Number(values.seed), seconds: Number(values.seconds), redis: values.redis };
const missing = options.redis ? missingRedis() : null;
if (missing) throw new Error(missing);
console.log(`seed ${options.seed}, ${options.seconds} s, ${options.redis ? 'split over Redis' : 'all in one process'}`);
const report = await killUnderLoad(options);
console.log(showReport(report));
process.exitCode = report.broken.length === 0 ? 0 : 1;
