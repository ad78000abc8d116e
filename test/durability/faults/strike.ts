import type { SeededRandom } from '../../house/seeded-random.ts';
import type { Fault } from './fault.ts';

/** Every fault once, in a random order, then others at random until the time is over; all have recovered at the end. */
export async function strikeAtRandom(faults: readonly Fault[], random: SeededRandom, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const first = shuffled(faults, random);
  for (let nth = 0; nth < first.length || performance.now() < end; nth += 1) {
    await (first[nth] ?? random.pick(faults)).strike();
  }
  for (const fault of faults) await fault.recovered();
}

function shuffled<T>(values: readonly T[], random: SeededRandom): T[] {
  const left = [...values];
  return values.flatMap(() => left.splice(random.below(left.length), 1));
}
