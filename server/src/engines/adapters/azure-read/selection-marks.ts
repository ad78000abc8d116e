import { z } from 'zod';

/** A part of the whole text. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** A box to tick, as `prebuilt-layout` finds it: the place of Azure's word for it in the text, and the character in its place. */
export interface SelectionMark {
  readonly span: Span;
  readonly word: string;
  readonly sign: string;
}

const WORD = /:(?:un)?selected:/g;
/** Characters for the states of a box, as in Azure's own Markdown. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['selected', '☒'],
  ['unselected', '☐'],
]);
const MARK = z.object({
  state: z.string(),
  span: z.object({ offset: z.number().int().min(0), length: z.number().int().min(1) }),
});
const PAGES = z.object({ analyzeResult: z.object({ pages: z.array(z.unknown()) }) });
const PAGE = z.object({ selectionMarks: z.array(z.unknown()) });

/** The selection marks of all pages of an analysis; none where it has none. */
export function marksOf(json: unknown): readonly SelectionMark[] {
  const pages = PAGES.safeParse(json).data?.analyzeResult.pages ?? [];
  return pages.flatMap((page) => PAGE.safeParse(page).data?.selectionMarks.flatMap(markOf) ?? []);
}

function markOf(raw: unknown): SelectionMark[] {
  const { state = '', span } = MARK.safeParse(raw).data ?? {};
  const sign = SIGNS.get(state);
  return span && sign ? [{ span, word: `:${state}:`, sign }] : [];
}

/** A part of the whole text, which begins at `from`, with boxes in place of Azure's words for them. */
export function withSigns(part: string, from: number, marks: readonly SelectionMark[]): string {
  const inside = marks
    .filter(({ span, word }) => {
      const at = span.offset - from;
      return at >= 0 && span.length === word.length && part.startsWith(word, at);
    })
    .toSorted((a, b) => a.span.offset - b.span.offset);
  let text = '';
  let end = 0;
  for (const { span, sign } of inside) {
    text += part.slice(end, span.offset - from) + sign;
    end = span.offset - from + span.length;
  }
  return text + part.slice(end);
}

/**
 * A text that Azure gives apart for the part in these spans, with boxes in place of the words: its places are not those of the
 * whole text.
 */
export function withSignsIn(
  told: string,
  spans: readonly Span[] | null | undefined,
  marks: readonly SelectionMark[],
): string {
  if (!spans || !told.includes('selected:')) return told;
  const signs = marks.filter(({ span }) => spans.some((part) => holds(part, span)));
  return signs.length === 0 ? told : told.replace(WORD, (word) => SIGNS.get(word.slice(1, -1)) ?? word);
}

/** Whether the inner span lies in the outer one. */
export function holds(outer: Span, inner: Span): boolean {
  return inner.offset >= outer.offset && inner.offset + inner.length <= outer.offset + outer.length;
}
