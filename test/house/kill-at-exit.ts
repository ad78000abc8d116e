import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

/** One listener for all of them: a process may start more than Node takes for a leak. */
let isHeard = false;

/** Ends a child with this process, whatever ends that. */
export function killAtExit(child: ChildProcess): void {
  if (!isHeard) {
    process.once('exit', () => {
      for (const each of children) each.kill('SIGKILL');
    });
  }
  isHeard = true;
  children.add(child);
  child.once('exit', () => children.delete(child));
}
