import { z } from 'zod';
import { hasTextBesidesImages } from '../../../documents/markdown/image-markup.ts';
import type { EngineInput, EngineSettings, PageReading, Reading, Usage } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';
import { omittedPages, parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { askedPages } from '../http/input.ts';
import { listOf } from '../http/list-of.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { withTables } from './inline-tables.ts';
import { blocksLayout } from './layout.ts';

const count = z.number().int().min(0).nullish().catch(null);
const score = z.number().min(0).max(1).nullish().catch(null);

const PAGES = z.object({
  pages: listOf(
    z.object({
      /** Number of the page, from 0. */
      index: z.number().int().min(0),
      markdown: z.string().nullish(),
      dimensions: z.unknown().optional(),
      blocks: z.unknown().optional(),
      tables: z.unknown().optional(),
      confidence_scores: z.object({ average_page_confidence_score: score }).nullish().catch(null),
    }),
  ),
  model: z.string().nullish().catch(null),
  usage_info: z.unknown().optional(),
});
const COUNTS = z.object({ pages_processed: count, pages_processed_annotation: count });

/** Reads the pages of an answer that came with HTTP 2xx. `secret` never appears in the reading. */
export function readOcrPages(answer: HttpAnswer, sought: Sought, secret: string | null): Reading {
  const { input } = sought;
  const json = parseJson(answer.text);
  const parsed = PAGES.safeParse(json);
  if (!parsed.success) return malformedAnswer(answer, json, { secret, shape: 'OCR pages' });
  const { model, usage_info } = parsed.data;
  const asked = askedPages(input);
  const answered = parsed.data.pages
    .map(({ index, markdown, confidence_scores, tables, ...geometry }) => ({
      // A picture has one page here, whatever its number in the request is.
      number: input.kind === 'picture' ? input.page + index : index + 1,
      text: withTables(markdown ?? '', tables),
      confidence: confidence_scores?.average_page_confidence_score ?? null,
      source: 'engine' as const,
      ...layoutIn(geometry, sought),
    }))
    .filter(({ number }) => asked.includes(number))
    .sort((a, b) => a.number - b.number);
  const omitted = omittedPages(
    asked,
    answered.map(({ number }) => number),
  );
  const hasText = answered.some(({ text }) => hasTextBesidesImages(text));
  return unread({
    ending: hasText ? { kind: 'ok' } : { kind: 'empty' },
    pages: hasText ? answered.filter(isRead) : [],
    usage: usageOf(usage_info),
    billed: 'yes',
    providerRequestId: answer.header('x-request-id') ?? answer.header('mistral-correlation-id'),
    modelVersion: model ?? null,
    warnings: omitted,
  });
}

type Sought = Pick<EngineSettings, 'positions' | 'tables'> & { readonly input: EngineInput };

function layoutIn(page: object, sought: Sought): Pick<PageReading, 'layout'> {
  const layout = sought.positions || sought.tables ? blocksLayout(page, sought) : null;
  return layout ? { layout } : {};
}

/** Whether a page was read: one with nothing but pictures was not; one without anything is blank. */
function isRead({ text }: PageReading): boolean {
  return text.trim() === '' || hasTextBesidesImages(text);
}

/** The usage. Pages of an annotated document may be counted as annotations only. */
function usageOf(raw: unknown): Usage | null {
  const counts = COUNTS.safeParse(raw).data;
  if (!counts) return null;
  const pages = counts.pages_processed || counts.pages_processed_annotation || counts.pages_processed;
  return { inputTokens: null, outputTokens: null, pages: pages ?? null, raw };
}
