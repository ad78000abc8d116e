import type { Block } from '@aws-sdk/client-textract';
import { type PageLayout, quadFrom } from '../../model/page-layout.ts';

/** The layout of Textract's lines with the words that are their children, in fractions of the page. */
export function layoutOf(blocks: readonly Block[]): PageLayout {
  const words = new Map(blocks.filter(({ BlockType }) => BlockType === 'WORD').map((word) => [word.Id, word]));
  const lines = blocks
    .filter(({ BlockType }) => BlockType === 'LINE')
    .flatMap((line) => {
      const children = (line.Relationships ?? [])
        .filter(({ Type }) => Type === 'CHILD')
        .flatMap(({ Ids }) => Ids ?? []);
      const placed = placedOf(line);
      return placed ? [{ ...placed, block: null, words: children.flatMap((id) => placedOf(words.get(id)) ?? []) }] : [];
    });
  return { width: 1, height: 1, granularity: 'word', lines };
}

function placedOf(block: Block | undefined) {
  const corners = block?.Geometry?.Polygon?.map(({ X, Y }) => [X ?? Number.NaN, Y ?? Number.NaN] as const) ?? [];
  const box = quadFrom(corners);
  const { Text: text, Confidence: percent } = block ?? {};
  return box && typeof text === 'string'
    ? { text, box, confidence: percent === undefined ? null : percent / 100 }
    : null;
}
