import { constants, getPriority, setPriority } from 'node:os';

/**
 * Of nice: a tenth of a core where one other process wants it too, all of it where none does. Windows knows classes
 * instead of steps.
 */
const STEP = process.platform === 'win32' ? constants.priority.PRIORITY_BELOW_NORMAL : 10;
const LOWEST = constants.priority.PRIORITY_LOW;

/**
 * Puts a process that was just started below this one, with every thread that it starts: decoding takes what is left
 * over, calls and settlements come first.
 */
export function lowerPriority({ pid }: { readonly pid?: number | undefined }): void {
  if (pid === undefined) return;
  try {
    // From where this process stands: an operator may have lowered the whole service.
    setPriority(pid, Math.min(getPriority() + STEP, LOWEST));
  } catch {
    // It has ended already, or the system allows no change: it works all the same.
  }
}

/** The same for the thread that calls it. Only on Linux a thread has a priority of its own. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') lowerPriority({ pid: 0 });
}
