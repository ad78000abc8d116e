import type { Dispatcher } from 'undici';
import { fitPicture, type PictureLimits } from '../../../documents/fit-picture.ts';
import type { Ending, EngineInput, EngineSettings, Reading } from '../../engine.ts';
import { unread } from '../../reading.ts';
import type { Adapter } from '../adapter-type.ts';
import { exchange, type HttpAnswer, type HttpCall } from './exchange.ts';
import { type Fault, faultOf, httpEnding } from './failure.ts';
import { mostTokens } from './usage-bounds.ts';

interface HttpRequest {
  readonly call: HttpCall & { readonly body: string | Buffer };
  /** The output cap as it stands in the body, the caller's own included; left out where there is none. */
  readonly outputCap?: unknown;
  readonly warnings: readonly string[];
}

/** How one provider is asked, and what it means by its answers. `Dialect` is what its model was found to accept. */
export interface Protocol<Dialect> {
  readonly firstDialect: Dialect;
  /** Whether the provider reads whole PDFs. */
  readonly takesDocuments: boolean;
  /** Never appears in a message. */
  readonly secret: string | null;
  /** What a picture may have at most. */
  readonly limits: PictureLimits;
  request(input: EngineInput, settings: EngineSettings, dialect: Dialect): HttpRequest;
  /** The reading of an answer that came with HTTP 2xx. */
  read(answer: HttpAnswer, input: EngineInput): Reading;
  /**
   * The dialect without what the model rejects, narrower each time; null when the fault is about something else, so that
   * asking again is no use.
   */
  adapt(dialect: Dialect, fault: Fault, input: EngineInput, native: EngineSettings['native']): Dialect | null;
  /** Whether a call is billed that ended with an HTTP error. */
  billed(ending: Ending): Reading['billed'];
}

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
    if (input.kind === 'document' && !this.#protocol.takesDocuments) return picturesOnly();
    const { fitting, notes } = await fitInput(input, this.#protocol.limits, signal);
    const reading = await this.#ask(this.#dialect, { input: fitting, settings, signal });
    return { ...reading, warnings: [...notes, ...reading.warnings] };
  }

  async #ask(dialect: Dialect, question: Question): Promise<Reading> {
    const protocol = this.#protocol;
    const { input, settings, signal } = question;
    const { call, outputCap, warnings } = protocol.request(input, settings, dialect);
    const answer = await exchange(this.#http, call, signal);
    if (answer.kind === 'no answer') return unread({ ending: answer.ending, billed: answer.billed, warnings });
    if (answer.status >= 200 && answer.status < 300) {
      const reading = protocol.read(answer, input);
      const bounds = mostTokens({ input, bodyBytes: call.body.length, outputCap });
      return { ...reading, mostTokens: bounds, warnings: [...warnings, ...reading.warnings] };
    }
    const fault = faultOf(answer);
    const learned = protocol.adapt(dialect, fault, input, settings.native);
    if (learned) {
      // What native_settings brought about holds for this caller only.
      if (Object.keys(settings.native).length === 0) this.#dialect = learned;
      return this.#ask(learned, question); // the provider looked at the parameters only, and bills nothing for it
    }
    const ending = httpEnding(fault, protocol.secret);
    const providerRequestId = answer.header('x-request-id') ?? answer.header('request-id');
    return unread({ ending, billed: protocol.billed(ending), providerRequestId, warnings });
  }
}

/** The input with its picture made to fit, and what was done to it. */
async function fitInput(input: EngineInput, limits: PictureLimits, signal: AbortSignal) {
  if (input.kind === 'document') return { fitting: input, notes: [] };
  const picture = await fitPicture(input.picture, limits, signal);
  const notes = picture.warnings.filter((warning) => !input.picture.warnings.includes(warning));
  return { fitting: { ...input, picture }, notes };
}

function picturesOnly(): Reading {
  const message = 'The gateway’s configuration: this engine takes no whole PDFs, native_pdf must be off for it.';
  return unread({ ending: { kind: 'failed', message, temporary: false, httpStatus: 400 }, billed: 'no' });
}

interface Question {
  readonly input: EngineInput;
  readonly settings: EngineSettings;
  readonly signal: AbortSignal;
}
