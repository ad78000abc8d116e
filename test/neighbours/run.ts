import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startCluster } from '../house/cluster.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';
import { missedBars, showReports } from './show-report.ts';
import { openSite } from './site.ts';
import { broken, type TrialReport, tryAttack } from './trial.ts';

/**
 * `npm run test:neighbours -- [--seconds 60] [--only TEXT]... [--strict]`, on a built product: each attack alone, for so long. The
 * quiet time before each is a quarter of it, the rest after it as long as it was. The first line is of no attack at all: what
 * a young process grows in that time anyway, and how quiet the machine is. Ends with 1 where the neighbour was told an error;
 * times and memory are printed beside their bars, and depend on what else the machine does: `--strict`, for a quiet one, ends
 * with 1 where an attack misses any of them, too.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', multiple: true, default: [''] },
    strict: { type: 'boolean', default: false },
  },
});
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
process.setMaxListeners(0);

const attackMs = Number(values.seconds) * 1000;
if (!(attackMs > 0)) throw new Error('--seconds must be a number above 0');
const NO_ATTACK: Attack = {
  name: 'none',
  finding: '',
  run: async (_target, signal) => {
    await once(signal, 'abort');
  },
};
const chosen = ATTACKS.filter(({ name, finding }) => values.only.some((text) => `${name} ${finding}`.includes(text)));
const cluster = await startCluster();
const reports: TrialReport[] = [];
const found: string[] = [];
for (const attack of [NO_ATTACK, ...chosen]) {
  await using site = await openSite(await cluster.createDatabase());
  await site.neighbour.watch(3000); // its code and the product's are compiled
  const report = await tryAttack(site, attack, { quietMs: attackMs / 4, attackMs, restMs: attackMs });
  reports.push(report);
  const missed = missedBars(report, reports[0]?.memoryMb?.after ?? 0);
  found.push(...broken(report));
  if (values.strict && missed.length > 0) found.push(`${attack.name}: missed ${missed.join(', ')}`);
  console.error(
    `${attack.name}: ${broken(report).join('; ') || 'no error'}\n${showReports([reports[0] ?? report, report])}`,
  );
}
await cluster.stop();
console.log(`${showReports(reports)}\n\n${found.length === 0 ? 'broken: nothing' : found.join('\n')}`);
process.exit(found.length === 0 ? 0 : 1);
