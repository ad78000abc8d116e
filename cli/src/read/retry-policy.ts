import { OcrError, type Retry } from '@ocr-router/client';

export interface RetryLimits {
  /** Longest time for sending a call again while the gateway has never answered: most likely it is not there. */
  readonly firstMs: number;
  /** Longest time for sending one call again once the gateway has answered. */
  readonly laterMs: number;
}

const LIMITS: RetryLimits = { firstMs: 10_000, laterMs: 15 * 60_000 };
const HINT = 'Is --url, or OCR_ROUTER_URL, right? With --local no gateway is needed.';

/** Decides for how long calls are sent again, and says so at the first of them. */
export class RetryPolicy {
  readonly #say: (text: string) => void;
  readonly #limits: RetryLimits;
  #hasAnswered = false;
  #isAway = false;
  #isBusy = false;

  constructor(say: (text: string) => void, limits = LIMITS) {
    this.#say = say;
    this.#limits = limits;
  }

  /** A `fetch` that notes that the gateway has answered. */
  over(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (...wanted) => {
      const response = await fetch(...wanted);
      this.#hasAnswered = true;
      this.#isAway = false;
      return response;
    };
  }

  /** Called before a call is sent again. Throws the call's error where the time for that is over. */
  readonly onRetry = ({ error, pauseMs, elapsedMs }: Retry): void => {
    const limitMs = this.#hasAnswered ? this.#limits.laterMs : this.#limits.firstMs;
    if (elapsedMs + pauseMs > limitMs) throw this.#hasAnswered ? error : withHint(error);
    if (error.status === 0) this.#sayAway(error, limitMs);
    else this.#sayBusy(error, limitMs);
  };

  /** Says that the gateway does not answer, once each time that it goes away. */
  #sayAway({ message }: OcrError, limitMs: number): void {
    if (!this.#isAway) this.#say(`${sentence(message)} It is tried again for ${duration(limitMs)}.`);
    this.#isAway = true;
  }

  /** Says that the gateway puts calls off, once in a run: of many calls it puts off some. */
  #sayBusy({ message, status }: OcrError, limitMs: number): void {
    if (!this.#isBusy) {
      this.#say(
        `The gateway puts calls off (${status}): ${sentence(message)} Each is sent again for ${duration(limitMs)}.`,
      );
    }
    this.#isBusy = true;
  }
}

function withHint({ message, code, status, cause }: OcrError): OcrError {
  return new OcrError(`${sentence(message)} ${HINT}`, { code, status, cause });
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** A length of time in words: `up to 15 minutes`. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [amount, unit] = seconds < 120 ? [seconds, 'second'] : [Math.round(seconds / 60), 'minute'];
  return `up to ${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
