import type { Dispatcher } from 'undici';
import { failureCode } from '../../../platform/connections/failure-code.ts';
import { isTlsFailure } from '../../../platform/connections/tls-failure.ts';
import { fewInterimAnswers } from '../../../platform/egress/interim-answers.ts';
import { GrowingBuffer } from '../../../platform/memory/growing-buffer.ts';
import type { Ending, Reading } from '../../model/engine.ts';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const TOO_LARGE = noAnswer('The engine’s answer is larger than 16 MB.', 'unknown', {
  temporary: false,
  tooLarge: true,
});
/** Pieces of an answer that are kept as they came: each takes hundreds of bytes beside its own. */
const MANY_CHUNKS = 64;
/** Switches off undici's own limits: the signal is the only one. */
const NO_CLOCK = { headersTimeout: 0, bodyTimeout: 0 } as const;
/** Codes of failures before there was a connection: nothing reached the provider. */
const NOT_SENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)/;

export interface HttpCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** The value of a response header; the first where there are several, null where there is none. */
  header(name: string): string | null;
  readonly text: string;
}

/** The outcome of a call that got no whole answer. */
export interface NoAnswer {
  readonly kind: 'no answer';
  readonly ending: Ending;
  readonly billed: Reading['billed'];
}

/**
 * Makes one HTTP call to a provider. Redirects are not followed: they would carry the key elsewhere. The signal is the only
 * clock: it closes the connection, and the call rejects with its reason. Every other failure is a value.
 */
export async function exchange(http: Dispatcher, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer | NoAnswer> {
  signal.throwIfAborted();
  const reader = new AnswerReader();
  const stop = () => reader.stop(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { origin, pathname, search } = new URL(call.url);
    const { method = 'POST', headers, body } = call;
    http.dispatch({ origin, path: pathname + search, method, headers, body, ...NO_CLOCK }, reader);
    return (await reader.answer) ?? TOO_LARGE;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return transportFailure(error, reader.hasBegun);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Reads an answer to its end, without a stream in between, because it is needed whole. */
class AnswerReader implements Dispatcher.DispatchHandler {
  /**
   * The answer; null where it is larger than the limit, and the connection is closed then. Rejects with what broke the call off.
   */
  readonly answer: Promise<HttpAnswer | null>;
  readonly #ended = Promise.withResolvers<HttpAnswer | null>();
  readonly #countInterim = fewInterimAnswers();
  /** The answer so far: in its first pieces, and once they are many in one piece. */
  readonly #chunks: Buffer[] = [];
  #whole: GrowingBuffer | null = null;
  #size = 0;
  #head: { readonly status: number; readonly headers: Headers } | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #stopped: { readonly reason: Error } | null = null;

  constructor() {
    this.answer = this.#ended.promise;
  }

  /** Whether the provider has begun to answer. */
  get hasBegun(): boolean {
    return this.#head !== null;
  }

  /** Breaks the call off, also while it waits for a connection. */
  stop(reason: Error): void {
    this.#stopped = { reason };
    this.#controller?.abort(reason);
    this.#ended.reject(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped) controller.abort(this.#stopped.reason);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status >= 200) this.#head = { status, headers };
    else this.#countInterim();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= MAX_ANSWER_BYTES) return void this.#keep(chunk);
    this.#chunks.length = 0;
    this.#whole = null;
    this.#ended.resolve(null);
    controller.abort(new Error('the answer is too large'));
  }

  #keep(chunk: Buffer): void {
    if (this.#whole) return void this.#whole.push(chunk);
    if (this.#chunks.push(chunk) < MANY_CHUNKS) return;
    this.#whole = new GrowingBuffer();
    for (const each of this.#chunks) this.#whole.push(each);
    this.#chunks.length = 0;
  }

  onResponseEnd(): void {
    const { status = 0, headers = {} } = this.#head ?? {};
    const header = (name: string) => [headers[name]].flat()[0] ?? null;
    const text = (this.#whole?.bytes ?? Buffer.concat(this.#chunks, this.#size)).toString('utf8');
    this.#ended.resolve({ kind: 'answer', status, header, text });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#ended.reject(error);
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function transportFailure(error: unknown, answered: boolean): NoAnswer {
  const code = failureCode(error);
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_URL') {
    return noAnswer('The engine’s address or key in the gateway’s configuration cannot be used.', 'no', {
      temporary: false,
    });
  }
  if (!answered && (NOT_SENT.test(code) || isTlsFailure(code)))
    return noAnswer(`The engine could not be reached (${code}).`, 'no', { temporary: true });
  return noAnswer('The connection to the engine broke before its answer was complete.', answered ? 'unknown' : 'no', {
    temporary: true,
  });
}

function noAnswer(message: string, billed: 'no' | 'unknown', more: { temporary: boolean; tooLarge?: true }): NoAnswer {
  return { kind: 'no answer', ending: { kind: 'failed', message, httpStatus: null, ...more }, billed };
}
