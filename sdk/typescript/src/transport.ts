import { setTimeout as sleep } from 'node:timers/promises';
import { OcrError } from './errors.ts';

export interface TransportOptions {
  readonly url: string;
  readonly apiKey: string;
  /** How often a call is sent again that was not answered, or was put off. */
  readonly retries: number;
  /** The longest that one answer is waited for. */
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

interface Envelope {
  readonly error?: { readonly code: string; readonly message: string };
  readonly http_status?: number;
  readonly retry_after_seconds?: number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** No outcome: the same call may be sent again, a request with its key. */
const AGAIN = new Set([429, 500, 502, 503]);

/** Calls by the contract's rules: what has no outcome is sent again, after the pause that the answer asks for. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Throws an `OcrError` for every answer that is an error, also for one that a slow response ended with. */
  async call<T>(call: Call): Promise<Answer<T>> {
    for (let attempt = 0; ; attempt++) {
      const { answer, error, pauseMs } = await this.#once<T>(call);
      if (answer) return answer;
      if (attempt >= this.#options.retries || !(error.status === 0 || AGAIN.has(error.status))) throw error;
      await sleep(Math.min(LONGEST_PAUSE_MS, pauseMs ?? FIRST_PAUSE_MS * 2 ** attempt), undefined, {
        signal: call.signal,
      });
    }
  }

  async #once<T>(call: Call): Promise<Outcome<T>> {
    const { url, apiKey, timeoutMs, fetch } = this.#options;
    const late = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, late]) : late;
    try {
      const response = await fetch(url + call.path, {
        method: call.method,
        headers: {
          Authorization: `Bearer ${apiKey}`,
          ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
          ...call.headers,
        },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
        signal,
      });
      return outcomeOf(response.status, response.headers, await response.text());
    } catch (cause) {
      call.signal?.throwIfAborted();
      const message = `No answer from ${url}: ${(cause as Error).message}`;
      return { answer: null, error: new OcrError(message, { code: 'connection', status: 0, cause }), pauseMs: null };
    }
  }
}

type Outcome<T> =
  | { readonly answer: Answer<T>; readonly error: null; readonly pauseMs: null }
  | { readonly answer: null; readonly error: OcrError; readonly pauseMs: number | null };

function outcomeOf<T>(status: number, headers: Headers, text: string): Outcome<T> {
  const body = parsed(text) as (T & Envelope) | null;
  if (status < 400 && body && !body.error) return { answer: { status, headers, body }, error: null, pauseMs: null };
  // A request that ran out of time is an outcome, which its key repeats.
  if (status === 503 && body && !body.error) return { answer: { status, headers, body }, error: null, pauseMs: null };
  const seconds = Number(headers.get('retry-after') ?? body?.retry_after_seconds ?? Number.NaN);
  const error = new OcrError(body?.error?.message ?? `HTTP ${status} without a body that can be read.`, {
    code: body?.error?.code ?? 'connection',
    status: body?.http_status ?? (status < 400 ? 0 : status),
    requestId: headers.get('x-request-id'),
  });
  return { answer: null, error, pauseMs: Number.isFinite(seconds) ? seconds * 1000 : null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
