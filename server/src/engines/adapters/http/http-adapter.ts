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

/** What is sent for one reading, and what the caller should know of it. */
interface HttpRequest {
  readonly body: string | DocumentBody;
  /** The output cap as it stands in the body, the caller's own included; left out where there is none. */
  readonly outputCap?: unknown;
  /** The native_settings in the body, where they are not the caller's as they are. */
  readonly native?: EngineSettings['native'];
  readonly warnings?: readonly string[];
}

/** How one provider is asked, and what it means by its answers. `Dialect` is what its model was found to accept. */
export interface Protocol<Dialect = null> {
  /** The address; a function where pictures and PDFs have one each. */
  readonly url: string | ((input: EngineInput) => string);
  /** Beside those that say that both sides speak JSON. */
  readonly headers: Readonly<Record<string, string>>;
  /** Never appears in a message. */
  readonly secret: string | null;
  /** Whether the provider reads whole PDFs. */
  readonly takesDocuments: boolean;
  /** What a picture may have at most; left out where any will do. */
  readonly limits?: PictureLimits;
  readonly firstDialect: Dialect;
  /**
   * The dialect without what the model rejects, narrower each time; null when the fault is about something else, so that
   * asking again is no use. It is kept once it has brought an answer.
   */
  adapt(dialect: Dialect, fault: Fault, input: EngineInput, native: EngineSettings['native']): Dialect | null;
  /** What of a dialect that was adapted holds for other pages, too; left out where all of it does. */
  lasting?(dialect: Dialect): Dialect;
  /** What an answer tells of the model for the next ones; null where that is nothing new. Left out where none is. */
  learn?(dialect: Dialect, reading: Reading): Dialect | null;
  request(input: EngineInput, settings: EngineSettings, dialect: Dialect): HttpRequest;
  /** The reading of an answer that came with HTTP 2xx; `input` and `dialect` as it was sent. */
  read(answer: HttpAnswer, input: EngineInput, settings: EngineSettings, dialect: Dialect): Reading;
  /** What a fault means at this provider alone; null where it means what it does at all. Left out where all do. */
  ending?(fault: Fault): Ending | null;
  /** Whether a call is billed that ended with an HTTP error; left out where it never is. */
  billed?(ending: Ending): Reading['billed'];
}

/** The part of a protocol of which nothing is learned from what the provider rejects. */
export const ONE_DIALECT: Pick<Protocol, 'firstDialect' | 'adapt'> = { firstDialect: null, adapt: () => null };

/** The key as a bearer token, where there is one. */
export function bearer(apiKey: string | null): Readonly<Record<string, string>> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {};
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/** An engine behind HTTP: one call a reading, and one more for each of our parameters that it turns out to reject. */
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
      // What native_settings brought about holds for this caller only.
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
  /** Whether the dialect is no longer the one that it was asked in first. */
  readonly isAdapted?: boolean;
}
