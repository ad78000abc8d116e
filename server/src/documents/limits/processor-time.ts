import { readFileSync } from 'node:fs';

/** What Linux counts the processor's time in, whatever the machine's own clock. */
const TICK_MS = 10;
/** Places of `utime` and `stime` in `/proc/PID/stat`, behind the name in brackets. */
const USER = 11;
const SYSTEM = 12;

/** Milliseconds that a process has had of the processor, all its threads together; null where the system does not say. */
export function processorMsOf(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== 'linux') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[USER]) + Number(fields[SYSTEM]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    return null; // it has ended
  }
}
