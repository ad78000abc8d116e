import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { OcrAnswer } from './answers.ts';

/** An answer as it came; `body` parses the text and throws where it is no JSON. */
export interface Reply<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: T;
}

/** An answer whose headers have come and whose body has not been read. */
export interface OpenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: Readable;
  /** Reads the rest. */
  finish<T = OcrAnswer>(): Promise<Reply<T>>;
}

export interface CallOptions {
  /** Those without a value are not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer | Readable;
  /** Hanging up is aborting. */
  readonly signal?: AbortSignal;
}

export interface OcrOptions extends Omit<CallOptions, 'body'> {
  /** The idempotency key; a new one when not given, none when null. */
  readonly key?: string | null;
}

/** A caller of the REST interface, with an API key or without one. */
export class Caller {
  readonly #url: string;
  readonly #apiKey: string | null;
  // No time-outs of its own and a connection for each call at once: a test decides what is slow.
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 256, pipelining: 1 });

  constructor(url: string, apiKey: string | null = null) {
    this.#url = url;
    this.#apiKey = apiKey;
  }

  /** POST /v1/ocr; a string or a Buffer goes out as it is. */
  async ocr<T = OcrAnswer>(body: unknown, options: OcrOptions = {}): Promise<Reply<T>> {
    return (await this.openOcr(body, options)).finish<T>();
  }

  /** POST /v1/ocr, handed over when the headers have come. */
  async openOcr(body: unknown, options: OcrOptions = {}): Promise<OpenReply> {
    const key = options.key === undefined ? randomUUID() : options.key;
    const bytes = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      ...(key !== null && { 'idempotency-key': key }),
      ...options.headers,
    };
    return this.open('POST', '/v1/ocr', { ...options, body: bytes, headers });
  }

  async get<T = OcrAnswer>(path: string, options: CallOptions = {}): Promise<Reply<T>> {
    return this.call<T>('GET', path, options);
  }

  async call<T = OcrAnswer>(method: string, path: string, options: CallOptions = {}): Promise<Reply<T>> {
    return (await this.open(method, path, options)).finish<T>();
  }

  async open(method: string, path: string, options: CallOptions = {}): Promise<OpenReply> {
    const answer = await request(this.#url + path, {
      method: method as 'GET', // undici lists the usual methods only; a test may send any
      headers: given({ ...(this.#apiKey && { authorization: `Bearer ${this.#apiKey}` }), ...options.headers }),
      body: options.body ?? null,
      signal: options.signal ?? null,
      dispatcher: this.#agent,
    });
    const head = { status: answer.statusCode, headers: flat(answer.headers) };
    return {
      ...head,
      stream: answer.body,
      finish: async <T>() => asReply<T>(head, await answer.body.text()),
    };
  }
}

function asReply<T>(head: { status: number; headers: Record<string, string> }, text: string): Reply<T> {
  return {
    ...head,
    text,
    get body(): T {
      try {
        return JSON.parse(text) as T; // the test checks the values of the shape it named
      } catch (error) {
        throw new Error(`HTTP ${head.status} with a body that is no JSON: ${text.slice(0, 500)}`, { cause: error });
      }
    },
  };
}

function given(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}
