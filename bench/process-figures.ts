import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The unit of processor time in /proc: Linux shows it to programs as a hundredth of a second. */
const TICK_MS = 10;
const PEAK_RESET = '5';

/** Processor time that a process has used so far, all its threads together; NaN where the system has no /proc. */
export function cpuMs(pid: number): number {
  const stat = readProc(pid, 'stat');
  // The program's name, in brackets, may hold spaces; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same of a process and all its descendants, with those that have ended. */
export function treeCpuMs(pid: number): number {
  const times = treeOf(pid).map((each) => {
    const stat = readProc(each, 'stat');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The 16th and 17th are those of children that have ended.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  });
  return times.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS;
}

export function residentMb(pid: number): number {
  return kilobytes(pid, 'VmRSS') / 1024;
}

/** Forgets the highest residence so far: the kernel keeps it without gaps, which no sampling does. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, PEAK_RESET);
}

export function peakMb(pid: number): number {
  return kilobytes(pid, 'VmHWM') / 1024;
}

/** Memory of a process and all its descendants; what several of them share counts once, in parts (PSS). */
export function treeMb(pid: number): number {
  return treeOf(pid).reduce((sum, each) => sum + kilobytes(each, 'Pss', 'smaps_rollup'), 0) / 1024;
}

function treeOf(pid: number): number[] {
  const parents = new Map(processes().map((each) => [each, parentOf(each)]));
  const tree = new Set([pid]);
  for (let before = 0; before !== tree.size; ) {
    before = tree.size;
    for (const [each, parent] of parents) if (tree.has(parent)) tree.add(each);
  }
  return [...tree];
}

function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1]);
}

function kilobytes(pid: number, name: string, file = 'status'): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readProc(pid, file))?.[1]);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
