import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startCluster } from '../house/cluster.ts';
import { apart } from './apart.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';
import { KeptReports } from './kept-reports.ts';
import { MOST_MEMORY, missedBars, showReports } from './show-report.ts';
import { openSite, type Site } from './site.ts';
import { broken, tryAttack } from './trial.ts';

/**
 * `npm run test:neighbours -- [--seconds 60] [--only TEXT]... [--keep FILE] [--minutes N] [--list] [--strict]`, on a built
 * product: each attack alone, for so long, and then at most as long until memory is back. The first line is of no attack at
 * all: what a young process grows in that time anyway, and what the neighbour sees in quiet, for as long as under an attack: of
 * fewer calls the slowest hundredth is a matter of luck.
 *
 * The whole table takes about an hour. With `--keep` the reports are kept in a file, and a run goes on after those that are
 * there; with `--minutes` it begins no attack after that time, so that the table can be made in slices. `--list` names the
 * attacks. Ends with 1 where the neighbour was told an error; times and memory are printed beside their bars, and depend on
 * what else the machine does: `--strict`, for a quiet one, ends with 1 where an attack misses any of them, too.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', multiple: true, default: [''] },
    keep: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
    list: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
process.setMaxListeners(0);

const attackMs = Number(values.seconds) * 1000;
const untilMs = performance.now() + Number(values.minutes) * 60_000;
if (!(attackMs > 0)) throw new Error('--seconds must be a number above 0');
if (!(untilMs > 0)) throw new Error('--minutes must be a number above 0');

const NO_ATTACK: Attack = {
  name: 'none',
  finding: '',
  run: async (_target, signal) => {
    await once(signal, 'abort');
  },
};
const chosen = ATTACKS.filter(({ name, finding }) => values.only.some((text) => `${name} ${finding}`.includes(text)));
if (values.list) {
  for (const { finding, name } of chosen) console.log(`${finding}: ${name}`);
  process.exit(0);
}
const kept = new KeptReports(values.keep, attackMs / 1000);
const waiting = [NO_ATTACK, ...chosen].filter(({ name }) => !kept.of(name));
const grownMb = () => kept.of(NO_ATTACK.name)?.memoryMb?.after ?? 0;
const isBack = (beforeMb: number, nowMb: number) => nowMb <= Math.max(beforeMb, grownMb()) * MOST_MEMORY;
const cluster = await startCluster();
for (const attack of waiting) {
  if (performance.now() > untilMs) break;
  await using site = await warmSite();
  const quiet = kept.of(NO_ATTACK.name)?.during;
  const rest = attack === NO_ATTACK ? {} : { isBack };
  const report = await tryAttack(site, attack === NO_ATTACK ? attack : apart(attack), {
    quiet,
    quietMs: 3000,
    attackMs,
    restMs: attackMs,
    ...rest,
  });
  kept.add(report);
  console.error(`${showReports([kept.of(NO_ATTACK.name) ?? report, report])}\n${broken(report).join('\n')}`);
}
await cluster.stop();

const wanted = [NO_ATTACK, ...chosen].map(({ name }) => name);
const reports = kept.all.filter(({ attack }) => wanted.includes(attack.name));
const found = reports.flatMap((report) => {
  const missed = values.strict ? missedBars(report, grownMb()) : [];
  return [...broken(report), ...(missed.length > 0 ? [`${report.attack.name}: missed ${missed.join(', ')}`] : [])];
});
const left = wanted.filter((name) => !kept.of(name));
if (left.length > 0) found.push(`not tried yet: ${left.join('; ')}`);
console.log(`${showReports(reports)}\n\n${found.length === 0 ? 'broken: nothing' : found.join('\n')}`);
process.exit(found.length === 0 ? 0 : 1);

/** Its code and the product's are compiled. */
async function warmSite(): Promise<Site> {
  const site = await openSite(await cluster.createDatabase(), 'measured');
  await site.neighbour.watch(3000);
  return site;
}
