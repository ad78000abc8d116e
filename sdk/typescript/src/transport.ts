import { checkCall } from './check-call.ts';
import { OcrError } from './errors.ts';
import { askedPauseMs, retryPauseMs, type Sleep } from './pauses.ts';

export interface TransportOptions {
  readonly url: string;
  readonly apiKey: string;
  /** How often a call is sent again that was not answered, or was put off. */
  readonly retries: number;
  /** The longest that one answer is waited for. */
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly sleep: Sleep;
  readonly onRetry: ((retry: Retry) => void) | undefined;
}

/** A call that has no outcome yet, and is about to be sent again. */
export interface Retry {
  /** Why it has none. */
  readonly error: OcrError;
  /** What is waited before it is sent. */
  readonly pauseMs: number;
  /** The time since it was sent first. */
  readonly elapsedMs: number;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  /** It repeats what another call has begun: not this one, nor one of those that were sent again. */
  readonly isReplay: boolean;
}

interface Envelope {
  readonly error?: { readonly code: string; readonly message: string };
  readonly http_status?: number;
}

/** No outcome: the same call may be sent again, a request with its key. */
const AGAIN = new Set([429, 500, 502, 503]);
/** Nothing of the call was begun. */
const RATE_LIMITED = 429;

/** Calls by the contract's rules: what has no outcome is sent again, after the pause that the answer asks for. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Throws an `OcrError` for every answer that is an error, also for one that a slow response ended with. */
  call<T>(call: Call): Promise<Answer<T>> {
    return this.#repeated(call, async (response) => {
      const { status, headers } = response;
      const text = await response.text();
      const body = parsed(text);
      return response.ok && body === undefined && isCutOff(headers, text)
        ? cutOff(status, headers)
        : outcomeOf<T>(status, headers, body);
    });
  }

  /** A call whose answer is a file. Throws as `call` does. */
  file(call: Call): Promise<Answer<Buffer>> {
    return this.#repeated(call, async (response) => {
      const { status, headers } = response;
      if (!response.ok) return failureOf(status, headers, parsed(await response.text()));
      return successOf(status, headers, Buffer.from(await response.arrayBuffer()));
    });
  }

  async #repeated<T>(call: Call, read: (response: Response) => Promise<Outcome<T>>): Promise<Answer<T>> {
    const { url, apiKey, retries, onRetry, sleep } = this.#options;
    checkCall(url, apiKey, call.headers);
    const began = performance.now();
    let mayHaveBegun = false;
    for (let attempt = 0; ; attempt++) {
      const { answer, error, pauseMs: askedMs } = await this.#once(call, read);
      if (answer) return mayHaveBegun ? { ...answer, isReplay: false } : answer;
      if (attempt >= retries || !(error.status === 0 || AGAIN.has(error.status))) throw error;
      mayHaveBegun ||= error.status !== RATE_LIMITED;
      const pauseMs = retryPauseMs(attempt, askedMs);
      onRetry?.({ error, pauseMs, elapsedMs: performance.now() - began });
      await sleep(pauseMs, call.signal);
    }
  }

  async #once<T>(call: Call, read: (response: Response) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { url, apiKey, timeoutMs, fetch } = this.#options;
    const late = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, late]) : late;
    try {
      const response = await fetch(url + call.path, {
        method: call.method,
        headers: { Authorization: `Bearer ${apiKey}`, ...typeOf(call), ...call.headers },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
        ...(call.bytes && { body: call.bytes }),
        redirect: 'manual', // the API key is for the gateway alone
        signal,
      });
      return isRedirect(response) ? await redirected(url, response) : await read(response);
    } catch (cause) {
      call.signal?.throwIfAborted();
      const message = `No answer from ${url}: ${reasonOf(cause as Error)}`;
      return { answer: null, error: new OcrError(message, { code: 'connection', status: 0, cause }), pauseMs: null };
    }
  }
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

async function redirected(url: string, { status, headers, body }: Response): Promise<Failure> {
  await body?.cancel();
  const place = headers.get('location') ?? 'nowhere';
  const message = `${url} redirects to ${place}, which is not followed: the url has to be the gateway's own.`;
  const error = new OcrError(message, { code: 'connection', status, requestId: headers.get('x-request-id') });
  return { answer: null, error, pauseMs: null };
}

/** `fetch` says that it failed, and its cause why; that of several addresses has only a code. */
function reasonOf({ message, cause }: Error): string {
  const { message: why = '', code = '' } = (cause ?? {}) as { readonly message?: string; readonly code?: string };
  return why || code ? `${message}: ${why || code}` : message;
}

function typeOf({ body, bytes }: Call): Record<string, string> {
  if (bytes) return { 'Content-Type': 'application/octet-stream' };
  return body === undefined ? {} : { 'Content-Type': 'application/json' };
}

interface Success<T> {
  readonly answer: Answer<T>;
  readonly error: null;
  readonly pauseMs: null;
}

interface Failure {
  readonly answer: null;
  readonly error: OcrError;
  readonly pauseMs: number | null;
}

type Outcome<T> = Success<T> | Failure;

function successOf<T>(status: number, headers: Headers, body: T): Success<T> {
  const isReplay = headers.get('idempotent-replayed') === 'true';
  return { answer: { status, headers, body, isReplay }, error: null, pauseMs: null };
}

function outcomeOf<T>(status: number, headers: Headers, body: unknown): Outcome<T> {
  const isResult = typeof body === 'object' && body !== null && !(body as Envelope).error;
  // `as`: the contract says what such an answer holds.
  if (isResult && (status < 400 || isTimeout(status, body))) return successOf(status, headers, body as T);
  return failureOf(status, headers, body);
}

/** A request that ran out of time (503) is an outcome, which its key repeats. A proxy's own 503 may be JSON, too. */
function isTimeout(status: number, body: object): boolean {
  return status === 503 && 'status' in body && body.status === 'timeout';
}

function failureOf(status: number, headers: Headers, body: unknown): Failure {
  const { error: told, http_status } = (body ?? {}) as Envelope; // the contract's, or nothing
  const error = new OcrError(told?.message ?? `HTTP ${status} without a body that can be read.`, {
    code: told?.code ?? 'connection',
    status: http_status ?? status,
    requestId: headers.get('x-request-id'),
  });
  return { answer: null, error, pauseMs: askedPauseMs(headers, body) };
}

/** Whether a text that is no JSON was to become some: a proxy may end the body of a gateway that died as if it were whole. */
function isCutOff(headers: Headers, text: string): boolean {
  return text.trim() === '' || /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

function cutOff(status: number, headers: Headers): Failure {
  const message = `HTTP ${status}, and its body was cut off.`;
  const error = new OcrError(message, { code: 'connection', status: 0, requestId: headers.get('x-request-id') });
  return { answer: null, error, pauseMs: askedPauseMs(headers, null) };
}

/** What the text holds; undefined if it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
