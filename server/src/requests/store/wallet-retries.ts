import { setTimeout as sleep } from 'node:timers/promises';
import { OutageError } from '../../database/outage.ts';

const PAUSE_MS = { first: 5, longest: 200 };
/** Longer than another process's statement holds a wallet. */
const LONG_MS = 250;

/**
 * Sends items again whose account's wallet another transaction holds, after a growing pause. Of an account's items one is sent;
 * the others wait until that one got through, so that they take no more room in the gathered statements than one.
 */
export class WalletRetries {
  readonly #asking = new Map<string, Promise<void>>();

  /**
   * Calls `ask` until it answers something else than `locked`. Throws `OutageError` when that takes longer than `limitMs`.
   * `onLong` is called once, when the wallet is locked for longer than statements take.
   */
  async through<T>(
    accountId: string,
    ask: () => Promise<T | 'locked'>,
    { limitMs, onLong = () => undefined }: { limitMs: number; onLong?: () => void },
  ): Promise<T> {
    const deadline = performance.now() + limitMs;
    let timer: NodeJS.Timeout | undefined;
    const startClock = () => {
      timer ??= setTimeout(onLong, LONG_MS);
    };
    try {
      for (;;) {
        const asking = this.#asking.get(accountId);
        if (asking) {
          startClock();
          await noLonger(asking, deadline - performance.now());
        }
        const answer = await ask();
        if (answer !== 'locked') return answer;
        if (performance.now() > deadline) throw new OutageError('the wallet of the account is locked');
        startClock();
        if (!this.#asking.has(accountId)) return await this.#askFirst(accountId, ask, deadline);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #askFirst<T>(accountId: string, ask: () => Promise<T | 'locked'>, deadline: number): Promise<T> {
    const asked = Promise.withResolvers<void>();
    this.#asking.set(accountId, asked.promise);
    try {
      for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(1.5 * pauseMs, PAUSE_MS.longest)) {
        await sleep(pauseMs);
        const answer = await ask();
        if (answer !== 'locked') return answer;
        if (performance.now() > deadline) throw new OutageError('the wallet of the account is locked');
      }
    } finally {
      this.#asking.delete(accountId);
      asked.resolve();
    }
  }
}

/** Waits until the item that is being asked for got through, but no longer than `limitMs`. */
async function noLonger(asking: Promise<void>, limitMs: number): Promise<void> {
  if (limitMs <= 0) return;
  const over = new AbortController();
  await Promise.race([asking, sleep(limitMs, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}
