import { readFileSync } from 'node:fs';

/** Milliseconds in a tick, the unit in which Linux counts processor time, whatever the machine's own clock. */
const TICK_MS = 10;
/** Places of `utime` and `stime` in `/proc/PID/stat`, counted behind the name in brackets. */
const USER = 11;
const SYSTEM = 12;

/** Milliseconds of the processor that a process has had, with all its threads; null where the system does not say. */
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
