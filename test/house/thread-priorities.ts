import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';

/** The nice values that the threads of a process have, each named once, lowest first. Linux only. */
export function threadPriorities(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return [...new Set(threads.map((thread) => getPriority(Number(thread))))].sort((a, b) => a - b);
}
