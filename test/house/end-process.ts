import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const PATIENCE_MS = 20_000;

/** Whether a process has ended, by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Ends a process by a signal, and by force where that is not enough; resolves when it has ended. */
export async function endProcess(
  child: ChildProcess,
  { signal = 'SIGTERM', patienceMs = PATIENCE_MS }: { signal?: NodeJS.Signals; patienceMs?: number } = {},
): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const impatient = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await ended;
  clearTimeout(impatient);
}
