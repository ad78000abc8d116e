import { z } from 'zod';
import { hasTextBesidesImages } from '../../../documents/markdown/image-markup.ts';
import type { EngineInput, PageReading, Reading } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';
import { meanConfidence, parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { faultOf, httpEnding } from '../http/failure.ts';
import { askedPages } from '../http/input.ts';
import { listOf } from '../http/list-of.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { layoutOf } from './layout.ts';

const SCORES = z.array(z.number().nullable().catch(null)).nullish().catch(null);
const OCR_PAGE = z
  .object({ prunedResult: z.looseObject({ rec_texts: listOf(z.string()), rec_scores: SCORES }) })
  .transform(({ prunedResult }) => ({
    text: prunedResult.rec_texts.join('\n'),
    confidence: meanConfidence(prunedResult.rec_scores ?? []),
    geometry: prunedResult as unknown,
  }));
const LAYOUT_PAGE = z
  .object({ markdown: z.object({ text: z.string() }) })
  .transform(({ markdown }) => ({ text: markdown.text, confidence: null, geometry: null as unknown }));

const FAILURE = z.object({ errorCode: z.number().int().min(1) });
const PAGES = z
  .object({
    logId: z.string().nullish().catch(null),
    result: z.union([
      z.object({ ocrResults: listOf(OCR_PAGE) }).transform((result) => result.ocrResults),
      z.object({ layoutParsingResults: listOf(LAYOUT_PAGE) }).transform((result) => result.layoutParsingResults),
    ]),
  })
  .transform(({ logId, result }) => ({ logId: logId ?? null, results: result }));

/** Reads an answer of either pipeline, which has one element for each page of the file. `secret` never appears in the reading. */
export function readPages(
  answer: HttpAnswer,
  { input, positions }: { input: EngineInput; positions: boolean },
  secret: string | null,
): Reading {
  const json = parseJson(answer.text);
  const failure = FAILURE.safeParse(json);
  if (failure.success) {
    const { errorCode } = failure.data;
    const status = errorCode >= 400 && errorCode <= 599 ? errorCode : 502;
    return unread({ ending: httpEnding({ ...faultOf(answer), status }, secret), billed: 'no' });
  }
  const parsed = PAGES.safeParse(json);
  if (!parsed.success) {
    return { ...malformedAnswer(answer, json, { secret, shape: 'PaddleOCR’s results' }), billed: 'no' };
  }
  const { logId: providerRequestId, results } = parsed.data;
  const asked = askedPages(input);
  const pages = asked.flatMap((number): PageReading[] => {
    const result = input.kind === 'picture' ? results[0] : results[number - 1];
    if (!result) return [];
    const text = hasTextBesidesImages(result.text) ? result.text : '';
    const layout = positions ? layoutOf(result.geometry, input) : null;
    return [{ number, text, confidence: result.confidence, source: 'engine', ...(layout && { layout }) }];
  });
  const warnings = omission(asked.length - pages.length, results.length, input);
  const known = { billed: 'no', providerRequestId, warnings } as const;
  if (input.kind === 'document' && pages.length === 0) {
    const message = `The engine read none of the pages asked for: its server stops after ${results.length}.`;
    return unread({ ...known, ending: { kind: 'failed', message, temporary: false, httpStatus: answer.status } });
  }
  if (pages.every((page) => page.text === '')) return unread({ ...known, ending: { kind: 'empty' } });
  return unread({ ...known, ending: { kind: 'ok' }, pages });
}

/** The warning for missing pages: by default the server reads the first ten pages of a PDF, and says nothing about the rest. */
function omission(missing: number, read: number, input: EngineInput): string[] {
  if (missing === 0 || input.kind === 'picture') return [];
  return [
    `PaddleOCR’s server read only the first ${read} pages of what it was sent; ${missing} of the pages asked for are missing.`,
  ];
}
