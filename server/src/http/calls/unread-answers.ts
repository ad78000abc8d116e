import type { ServerResponse } from 'node:http';
import { InFlight } from '../../platform/concurrency/in-flight.ts';
import { longestMs } from '../../rest/send.ts';
import { unreadBytes } from '../../rest/unread-bytes.ts';

const LOOK_MS = 500;

export interface UnreadLimits {
  /** Most bytes of all answers that wait in memory for their readers. One party may have a quarter of them. */
  readonly totalBytes: number;
  /** Milliseconds that an answer of so many bytes may wait for its reader. */
  readonly longestMs?: (bytes: number) => number;
}

interface Answer {
  readonly res: ServerResponse;
  readonly partyOf: () => string;
  /** Bytes and time (ms) of the first look that found the answer waiting; null before. */
  written: { readonly bytes: number; readonly at: number } | null;
}

interface Unread {
  readonly res: ServerResponse;
  readonly party: string;
  readonly bytes: number;
  readonly at: number;
}

/**
 * Watches answers that wait in memory until their reader takes them, whole or with what they are made of. A reader that takes
 * nothing would keep them there for ever: one that is too slow loses its connection, and so do the oldest of a party that lets
 * more wait than its share.
 */
export class UnreadAnswers implements Disposable {
  readonly #limits: Required<UnreadLimits>;
  readonly #answers = new InFlight<number, Answer>();
  readonly #timer: NodeJS.Timeout;
  #last = 0;

  constructor(limits: UnreadLimits) {
    this.#limits = { longestMs, ...limits };
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Watches an answer until it closes. `partyOf` is asked only while the answer waits: the caller may be unknown before. */
  watch(res: ServerResponse, partyOf: () => string): void {
    const id = ++this.#last;
    this.#answers.set(id, { res, partyOf, written: null });
    res.once('close', () => this.#answers.delete(id));
  }

  #look(): void {
    const now = performance.now();
    const waiting: Unread[] = [];
    for (const answer of this.#answers.values()) {
      const { res } = answer;
      const bytes = unreadBytes(res);
      if (bytes === 0) continue;
      const isNew = answer.written === null;
      answer.written ??= { bytes, at: now };
      if (now - answer.written.at > this.#limits.longestMs(answer.written.bytes)) res.destroy();
      else
        waiting.push({ res, party: answer.partyOf(), bytes, at: isNew ? Number.POSITIVE_INFINITY : answer.written.at });
    }
    this.#cut(waiting);
  }

  /**
   * Ends the oldest answers until the limits hold. Answers that were found waiting only now are spared: nobody had time to read
   * them.
   */
  #cut(waiting: readonly Unread[]): void {
    const { totalBytes } = this.#limits;
    const parties = Map.groupBy(waiting, ({ party }) => party);
    const sums = new Map([...parties].map(([party, answers]) => [party, sumOf(answers)]));
    let total = sumOf(waiting);
    const oldestFirst = waiting.filter(({ at }) => at !== Number.POSITIVE_INFINITY).toSorted((a, b) => a.at - b.at);
    for (const { res, party, bytes } of oldestFirst) {
      const sum = sums.get(party) ?? 0;
      if (sum <= totalBytes / 4 && total <= totalBytes) continue;
      res.destroy();
      sums.set(party, sum - bytes);
      total -= bytes;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function sumOf(answers: readonly Unread[]): number {
  return answers.reduce((sum, { bytes }) => sum + bytes, 0);
}
