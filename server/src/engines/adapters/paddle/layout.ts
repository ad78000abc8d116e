import { z } from 'zod';
import type { EngineInput } from '../../model/engine.ts';
import { type PageLayout, quadFrom, quadOf } from '../../model/page-layout.ts';

const RESULT = z.object({
  rec_texts: z.array(z.string()),
  rec_scores: z.array(z.number().nullable().catch(null)).nullish().catch(null),
  rec_polys: z
    .array(z.array(z.tuple([z.number(), z.number()])))
    .nullish()
    .catch(null),
  rec_boxes: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number()]))
    .nullish()
    .catch(null),
});

/**
 * The layout of PaddleOCR's lines, in pixels of the picture that it was sent. Null for a PDF, because it does not say how large
 * it drew the pages.
 */
export function layoutOf(prunedResult: unknown, input: EngineInput): PageLayout | null {
  const parsed = RESULT.safeParse(prunedResult);
  if (!parsed.success || input.kind !== 'picture') return null;
  const { rec_texts, rec_scores, rec_polys, rec_boxes } = parsed.data;
  const lines = rec_texts.flatMap((text, i) => {
    const polygon = quadFrom(rec_polys?.[i] ?? []);
    const [left = 0, top = 0, right = 0, bottom = 0] = rec_boxes?.[i] ?? [];
    const box = polygon ?? (rec_boxes?.[i] ? quadOf({ left, top, width: right - left, height: bottom - top }) : null);
    return box ? [{ text, box, confidence: rec_scores?.[i] ?? null, block: null, words: [] }] : [];
  });
  const { width, height } = input.picture;
  return { width, height, granularity: 'line', lines };
}
