import { type Dispatcher, request } from 'undici';
import type { Ending, Reading } from '../../model/engine.ts';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Failures before a connection stood: nothing reached the provider. */
const NOT_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

export interface HttpCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** A response header; the first where there are several, null where there is none. */
  header(name: string): string | null;
  readonly text: string;
}

/** A call without a whole answer. */
export interface NoAnswer {
  readonly kind: 'no answer';
  readonly ending: Ending;
  readonly billed: Reading['billed'];
}

/**
 * One HTTP call of a provider. Redirects are not followed: they would carry the key elsewhere. The signal is the only
 * clock: it closes the connection, and the call rejects with its reason. Everything else is a value.
 */
export async function exchange(http: Dispatcher, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer | NoAnswer> {
  let answered = false;
  try {
    const response = await request(call.url, {
      dispatcher: http,
      method: call.method ?? 'POST',
      headers: call.headers,
      body: call.body,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    answered = true;
    const text = await readText(response.body);
    if (text === null) return noAnswer('The engine’s answer is larger than 16 MB.', 'unknown', { temporary: false });
    const header = (name: string) => [response.headers[name]].flat()[0] ?? null;
    return { kind: 'answer', status: response.statusCode, header, text };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return transportFailure(error, answered);
  }
}

/** The body as text; null beyond the limit, when the connection is closed. */
async function readText(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    // `as`: undici types its chunks as any
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) return null; // leaving the loop destroys the body
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

function transportFailure(error: unknown, answered: boolean): NoAnswer {
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_URL') {
    return noAnswer('The engine’s address or key in the gateway’s configuration cannot be used.', 'no', {
      temporary: false,
    });
  }
  if (!answered && NOT_SENT.test(code))
    return noAnswer(`The engine could not be reached (${code}).`, 'no', { temporary: true });
  return noAnswer('The connection to the engine broke before its answer was complete.', answered ? 'unknown' : 'no', {
    temporary: true,
  });
}

/** The code of an error, or of the first error inside it (several addresses are tried side by side). */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}

function noAnswer(message: string, billed: 'no' | 'unknown', { temporary }: { temporary: boolean }): NoAnswer {
  return { kind: 'no answer', ending: { kind: 'failed', message, temporary, httpStatus: null }, billed };
}
