import { z } from 'zod';
import type { EngineInput, PageReading, Reading } from '../../model/engine.ts';
import type { PageLayout } from '../../model/page-layout.ts';
import { unread } from '../../model/reading.ts';
import { meanConfidence, omittedPages, parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { type Fault, faultOf, httpEnding } from '../http/failure.ts';
import { askedPages } from '../http/input.ts';
import { listOf } from '../http/list-of.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { retryAfterSeconds } from '../http/retry-after.ts';
import { layoutOf, pageOf } from './layout.ts';
import { marksOf, type SelectionMark, withSigns } from './selection-marks.ts';
import { tablesOf } from './tables.ts';

const DEFAULT_DELAY_MS = 2000;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
const UNREADABLE = /^(?:InvalidContent|UnsupportedContent|PasswordProtected\w*|ContentSourceInvalid)$/;

const SPAN = z.object({ offset: z.number().int().min(0), length: z.number().int().min(0) });
const PAGE = z.object({
  pageNumber: z.number().int(),
  spans: listOf(SPAN).nullish(),
  words: listOf(z.object({ confidence: z.number().min(0).max(1) }))
    .nullish()
    .catch(null),
});
const OPERATION = z.object({ status: z.string() });
const RESULT = z.object({
  analyzeResult: z.object({
    content: z.string(),
    pages: listOf(PAGE),
    modelId: z.string().nullish().catch(null),
    apiVersion: z.string().nullish().catch(null),
  }),
});

/** The input that was sent, and what the answer is to have beside its text. */
export interface Sought {
  readonly input: EngineInput;
  readonly positions: boolean;
  readonly tables: boolean;
}

/** Reads the answer to one poll: the reading, or that the analysis has not ended. `secret` never appears in a message. */
export function readOperation(answer: HttpAnswer, sought: Sought, secret: string): Reading | 'running' {
  const json = parseJson(answer.text);
  const status = OPERATION.safeParse(json).data?.status;
  if (status === 'notStarted' || status === 'running') return 'running';
  if (status === 'failed') return failedAnalysis(answer, secret);
  if (status === 'canceled') {
    const message = 'The engine’s provider cancelled the analysis.';
    return unread({ ending: { kind: 'failed', message, temporary: true, httpStatus: null }, billed: 'unknown' });
  }
  const result = RESULT.safeParse(json).data?.analyzeResult;
  if (status !== 'succeeded' || !result) return malformedAnswer(answer, json, { secret, shape: 'an analysis' });
  const marks = marksOf(json);
  const layouts = sought.positions || sought.tables ? layoutsOf(json, sought, marks) : null;
  return readResult(result, { input: sought.input, layouts, marks }, answer);
}

/** The reading of an HTTP status other than 2xx. */
export function faultReading(answer: HttpAnswer, secret: string, billed: Reading['billed']): Reading {
  const ending = httpEnding(asImageFault(faultOf(answer)), secret);
  return unread({ ending, billed, providerRequestId: requestId(answer) });
}

/** Milliseconds until the next poll, as the provider asks, within bounds: polls count against its rate limit. */
export function pollDelayMs(answer: HttpAnswer): number {
  const number = Number(answer.header('retry-after')?.trim() || Number.NaN);
  const seconds = Number.isFinite(number) && number >= 0 ? number : retryAfterSeconds(answer);
  if (seconds === null) return DEFAULT_DELAY_MS;
  return Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, seconds * 1000));
}

/**
 * The reading of an analysis that was accepted and then failed. An unreadable file is free; the price of any other failure is
 * unknown.
 */
function failedAnalysis(answer: HttpAnswer, secret: string): Reading {
  const fault = faultOf(answer);
  const isBadRequest = fault.codes.some((code) => code === 'InvalidRequest' || UNREADABLE.test(code));
  const ending = httpEnding(asImageFault({ ...fault, status: isBadRequest ? 400 : 500 }), secret);
  const billed = ending.kind === 'unreadable' ? 'no' : 'unknown';
  return unread({ ending, billed, providerRequestId: requestId(answer) });
}

/** Azure's words for a file that it cannot read, as the code that other providers have for it. */
function asImageFault(fault: Fault): Fault {
  return fault.codes.some((code) => UNREADABLE.test(code)) ? { ...fault, codes: ['invalid_image'] } : fault;
}

/** The shape of the pages' geometry, parsed apart: what is wrong there must not cost any text. */
const GEOMETRY = z.object({
  analyzeResult: z.object({ pages: listOf(z.looseObject({ pageNumber: z.number().int() })) }),
});

function layoutsOf(json: unknown, sought: Sought, marks: readonly SelectionMark[]): ReadonlyMap<number, PageLayout> {
  const pages = GEOMETRY.safeParse(json).data?.analyzeResult.pages ?? [];
  const tables: ReturnType<typeof tablesOf> = sought.tables ? tablesOf(json, marks) : new Map();
  return new Map(
    pages.flatMap((page) => {
      const own = tables.get(page.pageNumber);
      const layout = (sought.positions && layoutOf(page, marks)) || (own && pageOf(page));
      return layout ? [[page.pageNumber, own ? { ...layout, tables: own } : layout] as const] : [];
    }),
  );
}

interface Asked {
  readonly input: EngineInput;
  readonly layouts: ReadonlyMap<number, PageLayout> | null;
  readonly marks: readonly SelectionMark[];
}

function readResult(
  result: z.infer<typeof RESULT>['analyzeResult'],
  { input, layouts, marks }: Asked,
  answer: HttpAnswer,
): Reading {
  const { content, modelId, apiVersion } = result;
  const asked = askedPages(input);
  const pages = result.pages
    .map((page) => readPage(page, content, { input, layouts, marks }))
    .filter(({ number }) => asked.includes(number))
    .sort((a, b) => a.number - b.number);
  const hasText = pages.some(({ text }) => text.trim() !== '');
  return unread({
    ending: hasText ? { kind: 'ok' } : { kind: 'empty' },
    pages: hasText || input.kind === 'document' ? pages : [],
    billed: 'yes',
    providerRequestId: requestId(answer),
    modelVersion: modelId && apiVersion ? `${modelId} ${apiVersion}` : (modelId ?? null),
    warnings: omittedPages(
      asked,
      pages.map(({ number }) => number),
    ),
  });
}

function readPage(
  { pageNumber, spans, words }: z.infer<typeof PAGE>,
  content: string,
  { input, layouts, marks }: Asked,
): PageReading {
  const layout = layouts?.get(pageNumber);
  const parts =
    spans?.map(({ offset, length }) => withSigns(content.slice(offset, offset + length), offset, marks)) ?? [];
  return {
    // A picture is Azure's page 1, whatever its number is with us; all of the text is on it.
    number: input.kind === 'picture' ? input.page + pageNumber - 1 : pageNumber,
    text: input.kind === 'picture' ? withSigns(content, 0, marks) : parts.join('\n').trim(),
    confidence: meanConfidence(words?.map(({ confidence }) => confidence) ?? []),
    source: 'engine',
    ...(layout && { layout }),
  };
}

function requestId(answer: HttpAnswer): string | null {
  return answer.header('apim-request-id') ?? answer.header('x-ms-request-id');
}
