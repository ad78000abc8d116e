import { z } from 'zod';
import { findTables } from '../../../documents/markdown/find-tables.ts';
import { hasTextBesidesImages } from '../../../documents/markdown/image-markup.ts';
import { plainText } from '../../../documents/markdown/plain-text.ts';
import type { EngineSettings } from '../../model/engine.ts';
import { type LayoutTable, type PageLayout, type Quad, quadOf } from '../../model/page-layout.ts';

const number = z.number();
const BLOCK = z.object({
  type: z.string(),
  top_left_x: number,
  top_left_y: number,
  bottom_right_x: number,
  bottom_right_y: number,
  content: z.string(),
});
type Block = z.infer<typeof BLOCK>;
const PAGE = z.object({
  dimensions: z.object({ width: number.positive(), height: number.positive() }),
  blocks: z.array(BLOCK),
});

/** The layout of a page: its paragraphs, in pixels of the picture that Mistral made of it (OCR 4 and later). */
export function blocksLayout(
  page: object,
  { positions, tables }: Pick<EngineSettings, 'positions' | 'tables'>,
): PageLayout | null {
  const parsed = PAGE.safeParse(page);
  if (!parsed.success) return null;
  const { dimensions, blocks } = parsed.data;
  const { width, height } = dimensions;
  const found = blocks.filter(({ type }) => type === 'table').map(tableOf);
  // A block that is no table as it stands leaves all tables to the text, which has them, too.
  const isWhole = tables && found.length > 0 && !found.includes(null);
  const more = isWhole ? { tables: found.filter((table) => table !== null) } : {};
  if (!positions) return { width, height, granularity: 'none', lines: [], ...more };
  const lines = blocks
    .filter(({ type, content }) => type !== 'image' && content.trim() !== '' && hasTextBesidesImages(content))
    .map((block, at) => {
      return { text: plainText(block.content).trim(), box: boxOf(block), confidence: null, block: at + 1, words: [] };
    });
  return { width, height, granularity: 'block', lines, ...more };
}

function tableOf(block: Block): LayoutTable | null {
  const [table, ...others] = findTables(block.content);
  if (!table || others.length > 0) return null;
  const { span: _span, ...grid } = table;
  return { ...grid, box: boxOf(block) };
}

function boxOf({ top_left_x: left, top_left_y: top, bottom_right_x: right, bottom_right_y: bottom }: Block): Quad {
  return quadOf({ left, top, width: right - left, height: bottom - top });
}
