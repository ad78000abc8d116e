import { SeededRandom } from '../house/seeded-random.ts';
import type { Evidence } from './invariants.ts';
import { killAtRandom } from './killer.ts';
import { Load } from './load.ts';
import type { Mortal } from './mortal.ts';
import { openSite } from './site.ts';
import { Trial } from './trial.ts';

export interface RunReport {
  readonly evidence: Evidence;
  readonly mortals: readonly Mortal[];
  /** What does not hold. */
  readonly broken: readonly string[];
  /** What the processes that were alive at the end had logged, where something is broken. */
  readonly logs: string;
}

/** Mixed load for so long, while processes are killed at random; then what is left is judged. */
export async function killUnderLoad(options: { seed: number; seconds: number; redis: boolean }): Promise<RunReport> {
  await using site = await openSite(options);
  await using trial = await Trial.open(site);
  const { client, receiver } = trial;
  const load = new Load({ client, receiver, random: new SeededRandom(options.seed) });
  await killAtRandom(site.mortals, new SeededRandom(options.seed + 1), options.seconds);
  await load.finish();
  const ended = site.products.filter(({ current }) => !current.running);
  const { evidence, broken: found } = await trial.judge(load.sent);
  const broken = [
    ...ended.map(({ mortal }) => `the process ${mortal.kind} ended without having been killed`),
    ...found,
  ];
  return { evidence, broken, mortals: site.mortals, logs: broken.length > 0 ? site.logs() : '' };
}
