import { z } from 'zod';
import {
  type LayoutLine,
  type LayoutWord,
  type PageLayout,
  type Quad,
  quadAround,
  quadFrom,
} from '../../model/page-layout.ts';

/** A corner; Vision leaves a coordinate of 0 out. */
const VERTEX = z.object({ x: z.number().nullish().catch(null), y: z.number().nullish().catch(null) });
const BOX = z.object({
  vertices: z.array(VERTEX).nullish().catch(null),
  normalizedVertices: z.array(VERTEX).nullish().catch(null),
});
const SYMBOL = z.object({
  text: z.string(),
  property: z
    .object({ detectedBreak: z.object({ type: z.string() }).nullish().catch(null) })
    .nullish()
    .catch(null),
});
const WORD = z.object({
  boundingBox: BOX.nullish().catch(null),
  symbols: z.array(SYMBOL),
  confidence: z.number().nullish().catch(null),
});
const PAGE = z.object({
  width: z.number().positive(),
  height: z.number().positive(),
  blocks: z.array(z.object({ paragraphs: z.array(z.object({ words: z.array(WORD) })) })),
});
interface Size {
  readonly width: number;
  readonly height: number;
}

const LINE_ENDS = ['LINE_BREAK', 'EOL_SURE_SPACE', 'HYPHEN'];

/** The layout of a page: Vision's words, joined to lines by the breaks that it found behind them. */
export function layoutOf(page: unknown): PageLayout | null {
  const parsed = PAGE.safeParse(page);
  if (!parsed.success) return null;
  const { width, height, blocks } = parsed.data;
  const lines = blocks.flatMap(({ paragraphs }, block) =>
    paragraphs.flatMap(({ words }) => linesOf(words, { width, height }).map((line) => ({ ...line, block: block + 1 }))),
  );
  return { width, height, granularity: 'word', lines };
}

function linesOf(words: readonly z.infer<typeof WORD>[], page: Size): Omit<LayoutLine, 'block'>[] {
  const lines: LayoutWord[][] = [[]];
  for (const word of words) {
    const box = boxOf(word, page);
    const text = word.symbols.map((symbol) => symbol.text).join('');
    if (box) lines.at(-1)?.push({ text, box, confidence: word.confidence ?? null });
    if (LINE_ENDS.includes(word.symbols.at(-1)?.property?.detectedBreak?.type ?? '')) lines.push([]);
  }
  return lines
    .filter((inside) => inside.length > 0)
    .map((inside) => ({
      text: inside.map(({ text }) => text).join(' '),
      box: quadAround(inside.map(({ box }) => box)),
      confidence: null,
      words: inside,
    }));
}

/**
 * The box of a word in the page's own space. Of a PDF's page, which may be turned otherwise than it is shown, Vision answers
 * fractions.
 */
function boxOf({ boundingBox }: z.infer<typeof WORD>, { width, height }: Size): Quad | null {
  const fractions = boundingBox?.normalizedVertices ?? [];
  if (fractions.length > 0) return quadFrom(fractions.map(({ x, y }) => [(x ?? 0) * width, (y ?? 0) * height]));
  return quadFrom((boundingBox?.vertices ?? []).map(({ x, y }) => [x ?? 0, y ?? 0]));
}
