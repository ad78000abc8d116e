import type { Dispatcher } from 'undici';
import { isObject } from '../../../platform/is-object.ts';
import type { Adapter, AdapterType } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings, Reading } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import { withOwnLanguage } from '../../model/own-language.ts';
import { OUT_OF_TIME, quotesOf, unread } from '../../model/reading.ts';
import { TimeLimitError } from '../../model/stop-reasons.ts';
import { omittedPages } from '../http/answer.ts';
import { bodyWith } from '../http/document-body.ts';
import { HttpAdapter, ONE_DIALECT, type Protocol } from '../http/http-adapter.ts';
import { bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { readAnnotations } from './answer.ts';
import { languageHints } from './language-hints.ts';

const DEFAULT_BASE_URL = 'https://vision.googleapis.com';
const GOOGLE_HOST = /(?:^|\.)googleapis\.com$/;
/** Limits of a picture: a request has 10 MB in all, with base64. */
const LIMITS = { maxBytes: 7 * 1024 * 1024, maxSide: Number.POSITIVE_INFINITY };
const PAGES_PER_CALL = 5;

const NATIVE: NativeRules = {
  passes: ['imageContext.languageHints', 'imageContext.textDetectionParams'],
  // Each feature is a price of its own.
  reserved: ['image', 'inputConfig', 'features', 'pages', 'outputConfig', 'parent'],
};

/** Google Cloud Vision's text detection. */
export const googleVision: AdapterType = {
  name: 'google-vision',
  local: false,
  languageFamily: 'bcp-47',
  native: NATIVE,
  forwards: (settings) => withOwnLanguage(settings, ownHints(settings.native)),
  needs: ['apiKey'],
  open: (engine, { http }) => new GoogleVision(http, engine),
};

/** The reading of a later call that was stopped for its time: what the calls before it read is paid for. */
const LATE = unread({ ending: OUT_OF_TIME, billed: 'unknown' });

/**
 * Reads a document with several calls of five pages at most, fewer where the answer to so many is too large, and joins their
 * readings.
 */
class GoogleVision implements Adapter {
  readonly #calls: HttpAdapter<null>;

  constructor(http: Dispatcher, engine: Engine) {
    this.#calls = new HttpAdapter(http, annotate(engine));
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    if (input.kind === 'picture') return this.#calls.read(input, settings, signal);
    const readings: Reading[] = [];
    let most = PAGES_PER_CALL;
    let isAnswerLost = false;
    for (let from = 0; from < input.pages.length; ) {
      const pages = input.pages.slice(from, from + most);
      const reading = await this.#calls.read({ ...input, pages }, settings, signal).catch((error: unknown) => {
        if (readings.length === 0 || !(error instanceof TimeLimitError)) throw error;
        return LATE;
      });
      if (isTooLarge(reading) && pages.length > 1) {
        most = Math.floor(pages.length / 2);
        isAnswerLost = true;
        continue;
      }
      readings.push(reading);
      from += pages.length;
      // A failure of this call would end the next ones, too, and each may cost something.
      if (reading.ending.kind !== 'ok' && reading.ending.kind !== 'empty') break;
    }
    const reading = together(readings, input.pages);
    // Google may bill the pages of a lost answer once more.
    return isAnswerLost ? { ...reading, billed: 'unknown' } : reading;
  }
}

function isTooLarge({ ending }: Reading): boolean {
  return ending.kind === 'failed' && ending.tooLarge === true;
}

function ownHints({ imageContext }: EngineSettings['native']): unknown {
  return isObject(imageContext) ? imageContext['languageHints'] : undefined;
}

/**
 * Joins the readings of a document's calls. Where a later call fails, the pages that were read are kept; its own and later ones
 * are missing.
 */
function together(readings: readonly Reading[], asked: readonly number[]): Reading {
  const last = readings.at(-1);
  if (!last) throw new Error('a document is read by one page at least');
  const { ending } = last;
  const failed = 'message' in ending;
  const hasText = readings.some((reading) => reading.ending.kind === 'ok');
  const pages = readings.flatMap((reading) => reading.pages);
  const paid = readings.some(({ billed }) => billed === 'yes') ? 'yes' : last.billed;
  const numbers = pages.map(({ number }) => number);
  const why = failed && hasText ? [...omittedPages(asked, numbers), ending.message] : [];
  return {
    ...last,
    ending: hasText ? { kind: 'ok' } : ending,
    pages: hasText || !failed ? pages : [],
    billed: readings.some(({ billed }) => billed === 'unknown') ? 'unknown' : paid,
    warnings: [...new Set([...readings.flatMap(({ warnings }) => warnings), ...why])],
    quotes: quotesOf(last),
  };
}

function annotate(engine: Engine): Protocol {
  const base = engine.baseUrl ?? DEFAULT_BASE_URL;
  // Vision describes each letter; indented, as Google does unasked, the answer is several times as large.
  const plain = GOOGLE_HOST.test(new URL(base).hostname) ? '?prettyPrint=false' : '';
  return {
    ...ONE_DIALECT,
    url: ({ kind }) => `${base}/v1/${kind === 'picture' ? 'images' : 'files'}:annotate${plain}`,
    // Not in the address, which ends up in logs.
    headers: { 'x-goog-api-key': engine.apiKey ?? '' },
    secret: engine.apiKey,
    takesDocuments: true,
    limits: LIMITS,
    request: annotateRequest,
    read: (answer, input, { positions = false }) => readAnnotations(answer, { input, positions }, engine.apiKey),
  };
}

function annotateRequest(input: EngineInput, settings: EngineSettings) {
  const { hints, warnings } = languageHints(settings.languageNative);
  const sourceOf = (content: string) =>
    input.kind === 'picture'
      ? { image: { content } }
      : { inputConfig: { mimeType: 'application/pdf', content }, pages: input.pages };
  const oursWith = (content: string) => ({
    ...sourceOf(content),
    features: [{ type: 'DOCUMENT_TEXT_DETECTION' }],
    ...(hints.length > 0 && { imageContext: { languageHints: hints } }),
  });
  const fields = (content: string) => ({ requests: [withNative(oursWith(content), settings.native)] });
  return { body: bodyWith(bytesOf(input), fields), warnings };
}
