import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROUNDS = 40;
const SIDE_BY_SIDE = 16;
const MB = 1024 * 1024;

/**
 * Megabytes that `work`, done 640 times with 16 at a time under way, leaves behind after V8's collections in passing alone,
 * which look at young objects only: next to none, unless something old holds what each call has left, dead as it is.
 */
export async function leftBehindMb(work: (turn: Promise<void>) => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'major' | 'minor' }) => void;
  const round = async () => {
    const turn = Promise.withResolvers<void>();
    const under = Array.from({ length: SIDE_BY_SIDE }, () => work(turn.promise));
    turn.resolve();
    await Promise.all(under);
    under.length = 0;
    await setImmediate(); // what the last turns hold is let go
    collect({ type: 'minor' });
  };
  for (let i = 0; i < 3; i++) await round(); // what is compiled and cached is so from here on
  collect({ type: 'major' });
  collect({ type: 'major' });
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < ROUNDS; i++) await round();
  return (process.memoryUsage().heapUsed - before) / MB;
}

/** About 50 kB of objects. */
export function ballast(): object {
  return Array.from({ length: 1000 }, (_, n) => ({ n, text: `${n}` }));
}
