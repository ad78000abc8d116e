import { setTimeout as sleep } from 'node:timers/promises';
import { OutageError } from '../../database/outage.ts';

const PAUSE_MS = { first: 5, longest: 200 };
/** Longer than another process's statement holds a wallet. */
const LONG_MS = 250;

/**
 * Items whose account's wallet another transaction holds. They are asked again after a growing pause: one of an account
 * asks, the others wait for what it finds, so that many of them take no more room in the gathered statements than one.
 */
export class WalletRetries {
  readonly #asking = new Map<string, Promise<void>>();

  /**
   * Asks until the answer is another than `locked`. Throws `OutageError` when the wallet stays locked for too long. `onLong`
   * is called once, when it is locked for longer than statements take.
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

/** Waits for somebody else, as long as there is time: whose own limit is short asks itself then. */
async function noLonger(somebody: Promise<void>, limitMs: number): Promise<void> {
  if (limitMs <= 0) return;
  const over = new AbortController();
  await Promise.race([somebody, sleep(limitMs, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}
