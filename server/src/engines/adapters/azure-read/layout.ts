import { z } from 'zod';
import { type LayoutWord, type PageLayout, quadFromNumbers } from '../../model/page-layout.ts';
import { holds, type SelectionMark, type Span, withSignsIn } from './selection-marks.ts';

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
    const inside = wordsIn(line.spans, sorted);
    const text = withSignsIn(line.content, line.spans, marks);
    return [{ text, box, confidence: null, block: null, words: inside.flatMap(placedOf) }];
  });
  return { width, height, granularity: 'word', lines: found };
}

type Word = z.infer<typeof WORD>;

/** The words that lie in one of the spans, out of words in the order of their offsets. */
function wordsIn(spans: readonly Span[], sorted: readonly Word[]): Word[] {
  const found = new Set<Word>();
  for (const own of spans.toSorted((a, b) => a.offset - b.offset)) {
    const end = own.offset + own.length;
    for (let at = firstFrom(own.offset, sorted); (sorted[at]?.span.offset ?? end) < end; at++) {
      const word = sorted[at];
      if (word && holds(own, word.span)) found.add(word);
    }
  }
  return [...found];
}

/** The place of the first word at or behind an offset. A page may have so many words that no line can look at all of them. */
function firstFrom(offset: number, sorted: readonly Word[]): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.span.offset ?? 0) < offset) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The size of the page without its lines, for its tables. */
export function pageOf(page: unknown): PageLayout | null {
  const size = SIZE.safeParse(page).data;
  return size ? { ...size, granularity: 'none', lines: [] } : null;
}

function placedOf({ content, polygon, confidence }: Word): LayoutWord[] {
  const box = quadFromNumbers(polygon ?? []);
  return box ? [{ text: content, box, confidence: confidence ?? null }] : [];
}
