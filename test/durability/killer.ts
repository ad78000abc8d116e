import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../house/seeded-random.ts';
import type { Mortal } from './mortal.ts';

const LEAST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 3000;

/** Kills one process after the other, each at a random moment, for so long; every one has recovered at the end. */
export async function killAtRandom(mortals: readonly Mortal[], random: SeededRandom, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    await sleep(LEAST_PAUSE_MS + random.below(MOST_PAUSE_MS - LEAST_PAUSE_MS));
    if (performance.now() > end) break;
    const victims = mortals.filter(({ isHealthy }) => isHealthy);
    if (victims.length > 0) await random.pick(victims).kill();
  }
  await Promise.all(mortals.map((mortal) => mortal.recovered()));
}
