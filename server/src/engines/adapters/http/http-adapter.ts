import type { Dispatcher } from 'undici';
import type { PictureLimits } from '../../../documents/pictures/fit-picture.ts';
import { traceHeaders } from '../../../platform/tracing/spans.ts';
import type { Adapter } from '../../model/adapter-type.ts';
import type { Ending, EngineInput, EngineSettings, Reading } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';
import { type DocumentBody, encodeBody } from './document-body.ts';
import { exchange, type HttpAnswer } from './exchange.ts';
import { type Fault, faultOf, httpEnding } from './failure.ts';
import { fitInput, picturesOnly } from './input.ts';
import { mostTokens } from './usage-bounds.ts';

/** The body for one reading, and what the caller should know about it. */
interface HttpRequest {
  readonly body: string | DocumentBody;
  /** The output cap in the body, also one of the caller; absent where there is none. */
  readonly outputCap?: unknown;
  /** The native_settings in the body; absent where they are the caller's without a change. */
  readonly native?: EngineSettings['native'];
  readonly warnings?: readonly string[];
}

/** Describes how one provider is called, and what its answers mean. `Dialect`: what its model was found to accept. */
export interface Protocol<Dialect = null> {
  /** The address; a function where pictures and PDFs have one each. */
  readonly url: string | ((input: EngineInput) => string);
  /** Headers beside those that say that both sides speak JSON. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secret, which never appears in a message. */
  readonly secret: string | null;
  /** Whether the provider reads whole PDFs. */
  readonly takesDocuments: boolean;
  /** Limits of a picture; absent where there are none. */
  readonly limits?: PictureLimits;
  readonly firstDialect: Dialect;
  /**
   * The dialect without what the model rejects, narrower each time. Null where the fault is about something else, so that another
   * call is no use. The dialect is kept once it has brought an answer.
   */
  adapt(dialect: Dialect, fault: Fault, input: EngineInput, native: EngineSettings['native']): Dialect | null;
  /** The part of an adapted dialect that also holds for other pages; absent where all of it does. */
  lasting?(dialect: Dialect): Dialect;
  /**
   * The dialect for next calls that an answer suggests; null where there is nothing new. Absent where answers suggest nothing.
   */
  learn?(dialect: Dialect, reading: Reading): Dialect | null;
  request(input: EngineInput, settings: EngineSettings, dialect: Dialect): HttpRequest;
  /** The reading of an answer that came with HTTP 2xx; `input` and `dialect` as it was sent. */
  read(answer: HttpAnswer, input: EngineInput, settings: EngineSettings, dialect: Dialect): Reading;
  /**
   * The ending of a fault that means something else at this provider; null where it means the same as at all. Absent where all
   * do.
   */
  ending?(fault: Fault): Ending | null;
  /** Whether a call that ended with an HTTP error is billed; absent where none is. */
  billed?(ending: Ending): Reading['billed'];
}

/** The part of a protocol that learns nothing from what the provider rejects. */
export const ONE_DIALECT: Pick<Protocol, 'firstDialect' | 'adapt'> = { firstDialect: null, adapt: () => null };

/** The header with the key as a bearer token; none without a key. */
export function bearer(apiKey: string | null): Readonly<Record<string, string>> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {};
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/**
 * An engine behind HTTP: one call for each reading, and one more for each of the gateway's parameters that it turns out to
 * reject.
 */
export class HttpAdapter<Dialect> implements Adapter {
  readonly #http: Dispatcher;
  readonly #protocol: Protocol<Dialect>;
  #dialect: Dialect;

  constructor(http: Dispatcher, protocol: Protocol<Dialect>) {
    this.#http = http;
    this.#protocol = protocol;
    this.#dialect = protocol.firstDialect;
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    const { takesDocuments, limits } = this.#protocol;
    if (input.kind === 'document' && !takesDocuments) return picturesOnly();
    if (!limits) return this.#ask(this.#dialect, { input, settings, signal });
    const { fitting, notes } = await fitInput(input, limits, signal);
    const reading = await this.#ask(this.#dialect, { input: fitting, settings, signal });
    return { ...reading, warnings: [...notes, ...reading.warnings] };
  }

  async #ask(dialect: Dialect, question: Question): Promise<Reading> {
    const protocol = this.#protocol;
    const { input, settings, signal } = question;
    const request = protocol.request(input, settings, dialect);
    const { body: wish, outputCap, native = settings.native, warnings = [] } = request;
    const forwarded = request.native && hasAny(settings.native) ? { forwarded: { native } } : {};
    const body = typeof wish === 'string' ? wish : await encodeBody(wish);
    const url = typeof protocol.url === 'string' ? protocol.url : protocol.url(input);
    const headers = { ...JSON_HEADERS, ...traceHeaders(), ...protocol.headers };
    const answer = await exchange(this.#http, { url, headers, body }, signal);
    if (answer.kind === 'no answer')
      return unread({ ending: answer.ending, billed: answer.billed, warnings, ...forwarded });
    if (answer.status >= 200 && answer.status < 300) {
      const reading = protocol.read(answer, input, settings, dialect);
      const bounds = mostTokens({ input, bodyBytes: body.length, outputCap });
      const isProven = question.isAdapted && reading.ending.kind !== 'failed';
      const proven = isProven ? (protocol.lasting?.(dialect) ?? dialect) : null;
      const learned = protocol.learn?.(dialect, reading) ?? proven;
      // What a caller's native_settings brought about holds for this caller only.
      if (learned && !hasAny(native)) this.#dialect = learned;
      return { ...reading, mostTokens: bounds, warnings: [...warnings, ...reading.warnings], ...forwarded };
    }
    const fault = faultOf(answer);
    const adapted = protocol.adapt(dialect, fault, input, native);
    // The provider looked at the parameters only, and bills nothing for it.
    if (adapted) return this.#ask(adapted, { ...question, isAdapted: true });
    const ending = protocol.ending?.(fault) ?? httpEnding(fault, protocol.secret);
    const providerRequestId = answer.header('x-request-id') ?? answer.header('request-id');
    return unread({ ending, billed: protocol.billed?.(ending) ?? 'no', providerRequestId, warnings, ...forwarded });
  }
}

function hasAny(native: EngineSettings['native']): boolean {
  return Object.keys(native).length > 0;
}

interface Question {
  readonly input: EngineInput;
  readonly settings: EngineSettings;
  readonly signal: AbortSignal;
  /** Whether this is another dialect than that of the first call. */
  readonly isAdapted?: boolean;
}
