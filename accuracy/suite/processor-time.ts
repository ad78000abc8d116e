import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
/** A child may end between being listed and being looked at: its ticks are its parent's then, so all are read again. */
const TRIES = 5;

/**
 * Seconds of the processor that this process, the children that it has waited for and those that live have used; null
 * where the system does not tell (it is Linux that does).
 */
export function processorSeconds(): number | null {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const ticks = ['self', ...children()].map(ticksOf);
      return ticks.reduce((sum, own) => sum + own, 0) / TICKS_PER_SECOND;
    } catch {}
  }
  return null;
}

function children(): string[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    return readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean);
  });
}

/** User and system time, own and of children that were waited for: fields 14 to 17, behind the name in brackets. */
function ticksOf(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
