import type { EngineInput } from '../../model/engine.ts';
import { type LayoutWord, type PageLayout, quadAround, quadFrom } from '../../model/page-layout.ts';

interface Fragment {
  readonly text: string;
  readonly confidence?: number | null | undefined;
  readonly bbox?: readonly (readonly [number, number])[] | null | undefined;
}

/** The layout of lines, with EasyOCR's fragments as their words, in pixels of the picture. */
export function layoutOf(lines: readonly (readonly Fragment[])[], input: EngineInput): PageLayout | null {
  if (input.kind !== 'picture') return null;
  const { width, height } = input.picture;
  const found = lines.flatMap((fragments) => {
    const words = fragments.flatMap(placedOf);
    if (words.length === 0) return [];
    const text = words.map((word) => word.text).join(' ');
    return [{ text, box: quadAround(words.map(({ box }) => box)), confidence: null, block: null, words }];
  });
  return { width, height, granularity: 'line', lines: found };
}

function placedOf({ text, confidence, bbox }: Fragment): LayoutWord[] {
  const box = quadFrom(bbox ?? []);
  return box ? [{ text, box, confidence: confidence ?? null }] : [];
}
