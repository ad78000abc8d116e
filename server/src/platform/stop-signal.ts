import type { Log } from './logging/log.ts';

/** How a supervisor, a terminal or a closed window ask a process to end. */
const SIGNALS = { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 } as const;
/** Ctrl-C reaches the process twice, from the terminal and from npm: within this time it is one request. */
const SAME_REQUEST_MS = 1000;
const LOOK_AT_PARENT_MS = 500;

export interface StopOptions {
  /** Whether the end of the parent process is a request to stop, too: npm does not pass every signal on. */
  readonly withParent: boolean;
  readonly log: Log;
}

/** Resolves at the first request to stop with its name; a second one ends the process at once. */
export function stopSignal({ withParent, log }: StopOptions): Promise<string> {
  return new Promise((resolve) => {
    let firstMs: number | null = null;
    for (const name of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
      process.on(name, () => {
        if (firstMs === null) {
          firstMs = performance.now();
          return resolve(name);
        }
        if (performance.now() - firstMs < SAME_REQUEST_MS) return;
        log.warn({ signal: name }, 'asked to stop again: ending at once, what runs is taken over later');
        process.exit(128 + SIGNALS[name]);
      });
    }
    if (!withParent) return;
    const parent = process.ppid;
    const looking = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(looking);
      firstMs ??= performance.now();
      resolve('the end of npm');
    }, LOOK_AT_PARENT_MS).unref();
  });
}
