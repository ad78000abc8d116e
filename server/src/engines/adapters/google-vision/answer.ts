import { z } from 'zod';
import type { Ending, EngineInput, PageReading, Reading } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';
import { omittedPages, parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { httpEnding } from '../http/failure.ts';
import { askedPages } from '../http/input.ts';
import { listOf } from '../http/list-of.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { layoutOf } from './layout.ts';

const FAULT = z.object({ code: z.number().int().catch(2), message: z.string().catch('') });
const ANNOTATION = z.object({
  fullTextAnnotation: z
    .object({
      text: z.string().nullish(),
      pages: z
        .array(z.looseObject({ confidence: z.number().min(0).max(1).nullish().catch(null) }))
        .nullish()
        .catch(null),
    })
    .nullish(),
  context: z.object({ pageNumber: z.number().int().nullish() }).nullish().catch(null),
  error: FAULT.nullish(),
});
const PICTURE = z.object({ responses: listOf(ANNOTATION, 1) });
const FILE = z.object({
  responses: listOf(z.object({ responses: listOf(ANNOTATION).nullish(), error: FAULT.nullish() }), 1),
});
/** HTTP statuses for the codes of google.rpc.Code. */
const HTTP_STATUS: Readonly<Record<number, number>> = {
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  11: 400,
  12: 501,
  14: 503,
  16: 401,
};
const BAD_IMAGE = /bad image|image data|bad (?:pdf|file)/i;

type Annotation = z.infer<typeof ANNOTATION>;

/** Reads an answer with HTTP 200, which may have an error for each page. `secret` never appears in a message. */
export function readAnnotations(
  answer: HttpAnswer,
  { input, positions }: { input: EngineInput; positions: boolean },
  secret: string | null,
): Reading {
  const json = parseJson(answer.text);
  const annotations = input.kind === 'picture' ? ofPicture(json) : ofFile(json);
  if (!annotations) return malformedAnswer(answer, json, { secret, shape: 'annotations' });
  const asked = askedPages(input);
  const numbered = annotations.map((annotation, i) => {
    const given = input.kind === 'picture' ? null : annotation.context?.pageNumber;
    return { annotation, number: given || (asked[i] ?? 0) };
  });
  const pages = numbered
    .filter(({ annotation, number }) => !annotation.error && asked.includes(number))
    .map(({ annotation, number }) => readPage(annotation, { number, positions }));
  const error = annotations.find((annotation) => annotation.error)?.error;
  if (error && pages.length === 0) return unread({ ending: faultEnding(error, secret), billed: 'no' });
  const hasText = pages.some(({ text }) => text.trim() !== '');
  return unread({
    ending: hasText ? { kind: 'ok' } : { kind: 'empty' },
    // Pages without text of a document are blank: those of other calls may have text.
    pages: hasText || input.kind === 'document' ? pages : [],
    billed: 'yes',
    warnings: omittedPages(
      asked,
      pages.map(({ number }) => number),
    ),
  });
}

function ofPicture(json: unknown): Annotation[] | null {
  return PICTURE.safeParse(json).data?.responses.slice(0, 1) ?? null;
}

/** The annotations of the one file that was sent; an error may concern all of it. */
function ofFile(json: unknown): Annotation[] | null {
  const file = FILE.safeParse(json).data?.responses[0];
  if (file?.error) return [{ error: file.error }];
  return file?.responses ?? null;
}

/** Reads a page; one without an annotation is blank. */
function readPage(
  { fullTextAnnotation }: Annotation,
  { number, positions }: { number: number; positions: boolean },
): PageReading {
  const page = fullTextAnnotation?.pages?.[0];
  const confidence = page?.confidence ?? null;
  const layout = positions ? layoutOf(page) : null;
  return {
    number,
    text: fullTextAnnotation?.text?.trimEnd() ?? '',
    confidence,
    source: 'engine',
    ...(layout && { layout }),
  };
}

function faultEnding({ code, message }: z.infer<typeof FAULT>, secret: string | null): Ending {
  const status = HTTP_STATUS[code] ?? 500;
  const codes = status === 400 && BAD_IMAGE.test(message) ? ['invalid_image'] : [];
  return httpEnding({ status, codes, param: null, message, retryAfterSeconds: null }, secret);
}
