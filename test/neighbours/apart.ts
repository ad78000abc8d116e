import { constants, setPriority } from 'node:os';
import { startChild } from '../../bench/child.ts';
import type { Attack } from './attack.ts';
import { aborted } from './persist.ts';

/**
 * The same attack from a process of its own, at the lowest priority: who attacks has a machine elsewhere, and takes none of
 * the processor time of the product, or of who measures it. It has all that these leave.
 */
export function apart(attack: Attack): Attack {
  return {
    name: attack.name,
    finding: attack.finding,
    // What it needs it makes there.
    run: async (target, signal) => {
      await using child = await startChild('test/neighbours/attack-process.ts', attack.name, JSON.stringify(target));
      setPriority(child.pid, constants.priority.PRIORITY_LOW);
      await Promise.race([aborted(signal), child.ended]);
      if (!signal.aborted) throw new Error(`the process of "${attack.name}" ended by itself`);
    },
  };
}
