import type { IncomingHttpHeaders } from 'node:http';
import type { AdapterType } from '../../model/adapter-type.ts';
import type { Engine } from '../../model/engine.ts';

/** A provider as it looks from outside: its answers in each case that every adapter is driven through. */
export interface Wire {
  readonly adapter: AdapterType;
  /** Configuration beside `id`, `adapter`, `baseUrl` and `apiKey`. */
  readonly engine: Partial<Engine>;
  /** The path behind the origin in `baseUrl`, such as `/v1`. */
  readonly basePath: string;
  /** The usage that the case `ok` reports, as the adapter must read it; null where the provider reports none. */
  readonly usage: { readonly inputTokens: number | null; readonly outputTokens: number | null } | null;
  /** native_settings that would reach another document, model, bill or address, in the provider's own words. */
  readonly attack: Readonly<Record<string, unknown>>;
  /** Whether the provider bills the case `filtered`, where that is not plainly no. */
  readonly filteredBilled?: 'unknown';
  /**
   * `TEXT` with its place on a picture of 200 by 100 pixels: the line from 20 to 160 across and from 10 to 20 down, its
   * second word from 80; where it tells blocks alone, a block of one line. Left out where the provider tells no positions.
   */
  readonly positions?: WireScript;
  /** `Total` and `42.00` as the headers of a table at the place of that line, where the provider tells tables. */
  readonly tables?: WireScript;
  /** Null: the provider has no such case. */
  readonly answers: Readonly<Record<WireCase, WireScript | null>>;
}

/** `ok` reads `TEXT`, `truncated` the beginning of it. Overload and the like belong into the adapter's own test. */
export type WireCase =
  | 'ok'
  | 'empty'
  | 'refused'
  | 'truncated'
  | 'rateLimited'
  | 'serverError'
  | 'badCredentials'
  | 'unreadable'
  | ModelCase;

/** Cases of engines that write their text: they run out of credit in words of their own, refuse in prose, repeat themselves. */
export type ModelCase =
  /** HTTP 429, or what the provider has for it: its account is empty, waiting does not help. */
  | 'noQuota'
  /** An HTTP error of the content filter. */
  | 'filtered'
  /** A refusal in the place of the text, with the usual reason for ending. */
  | 'proseRefusal'
  /** The output limit came before the first character. */
  | 'cutBeforeText'
  /** The text's end repeats itself until the model stops by itself. */
  | 'loop'
  /** The text, without a reason for ending. */
  | 'noReason'
  /** The text, with a reason that no adapter knows. */
  | 'unknownReason';

/** The model cases of engines that recognise text and do not write it: none. */
export const NO_MODEL: Readonly<Record<ModelCase, null>> = {
  noQuota: null,
  filtered: null,
  proseRefusal: null,
  cutBeforeText: null,
  loop: null,
  noReason: null,
  unknownReason: null,
};

export const PROSE_REFUSAL = 'I’m sorry, I can’t transcribe this document.';
/** A text followed by a line that comes again and again. */
export const LOOP = [
  'Total 42.00',
  ...Array.from({ length: 30 }, () => 'Carried forward to the next page: 42.00'),
].join('\n');

/** The text on the page. */
export const TEXT = 'Total 42.00';

/** The key that the adapter sends; it must not appear in what the adapter says. */
export const KEY = 'sk-test-1234567890abcdef';

/** One answer to every call, or a function that answers each (for a provider that is polled). */
export type WireScript = WireAnswer | ((call: WireCall) => WireAnswer);

export interface WireAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body: a string is sent as it is, anything else as JSON. */
  readonly body: unknown;
}

export interface WireCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The address of the scripted provider, such as `http://127.0.0.1:5000`. */
  readonly origin: string;
}
