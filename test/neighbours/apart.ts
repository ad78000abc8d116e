import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../../bench/child.ts';
import type { Attack } from './attack.ts';
import { aborted } from './persist.ts';

/** Longer than any of them needs to take back what it has done. */
const END_MS = 60_000;

/**
 * The same attack from a process of its own, at the lowest priority: who attacks has a machine elsewhere, and takes none of
 * the processor time of the product, or of who measures it. It has all that these leave.
 */
export function apart(attack: Attack): Attack {
  let starting: Promise<Child> | undefined;
  return {
    name: attack.name,
    finding: attack.finding,
    // What it needs is made there, before it is ready.
    prepare: async (target) => {
      starting = startChild('test/neighbours/attack-process.ts', attack.name, JSON.stringify(target));
      await starting.then(({ pid }) => setPriority(pid, constants.priority.PRIORITY_LOW)).catch(() => undefined); // `run` rejects
    },
    run: async (_target, signal) => {
      if (!starting) throw new Error('it has not been prepared');
      await using child = await starting;
      await Promise.race([aborted(signal), child.ended]);
      child.stop();
      const code = await Promise.race([child.ended, sleep(END_MS, 'none: it goes on', { ref: false })]);
      if (code !== 0) throw new Error(`its process ended with ${code}`); // it has said why
    },
  };
}
