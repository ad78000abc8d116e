import { z } from 'zod';
import { type LayoutWord, type PageLayout, quadFromNumbers } from '../../model/page-layout.ts';
import { holds, type SelectionMark, withSignsIn } from './selection-marks.ts';

const SPAN = z.object({ offset: z.number().int().min(0), length: z.number().int().min(0) });
const POLYGON = z.array(z.number()).nullish().catch(null);
const WORD = z.object({
  content: z.string(),
  polygon: POLYGON,
  confidence: z.number().nullish().catch(null),
  span: SPAN,
});
const LINE = z.object({ content: z.string(), polygon: POLYGON, spans: z.array(SPAN) });
const SIZE = z.object({ width: z.number().positive(), height: z.number().positive() });
const PAGE = SIZE.extend({
  words: z.array(WORD),
  lines: z.array(LINE),
});

/** The layout of a page: Azure's lines with the words in their spans, in inches of a PDF's page, or pixels of a picture. */
export function layoutOf(page: unknown, marks: readonly SelectionMark[]): PageLayout | null {
  const parsed = PAGE.safeParse(page);
  if (!parsed.success) return null;
  const { width, height, words, lines } = parsed.data;
  const sorted = words.toSorted((a, b) => a.span.offset - b.span.offset);
  const found = lines.flatMap((line) => {
    const box = quadFromNumbers(line.polygon ?? []);
    if (!box) return [];
    const inside = sorted.filter(({ span }) => line.spans.some((own) => holds(own, span)));
    const text = withSignsIn(line.content, line.spans, marks);
    return [{ text, box, confidence: null, block: null, words: inside.flatMap(placedOf) }];
  });
  return { width, height, granularity: 'word', lines: found };
}

/** The size of the page without its lines, for its tables. */
export function pageOf(page: unknown): PageLayout | null {
  const size = SIZE.safeParse(page).data;
  return size ? { ...size, granularity: 'none', lines: [] } : null;
}

function placedOf({ content, polygon, confidence }: z.infer<typeof WORD>): LayoutWord[] {
  const box = quadFromNumbers(polygon ?? []);
  return box ? [{ text: content, box, confidence: confidence ?? null }] : [];
}
