import { expect } from 'vitest';
import type { LineAnswer, PageAnswer, WordAnswer } from './answers.ts';

/** Left, top, right and bottom of a polygon, in fractions of the page. */
export function boundsOf({ polygon }: WordAnswer): [number, number, number, number] {
  const xs = polygon.filter((_, i) => i % 2 === 0);
  const ys = polygon.filter((_, i) => i % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

export function wordsOf({ lines = [] }: PageAnswer): WordAnswer[] {
  return lines.flatMap(({ words = [] }: LineAnswer) => words);
}

/** The word of a page; fails where there is none. */
export function wordOn(page: PageAnswer | undefined, text: string): WordAnswer {
  const found = page && wordsOf(page).find((word) => word.text === text);
  if (!found)
    throw new Error(`no word "${text}" among ${JSON.stringify(page && wordsOf(page).map((word) => word.text))}`);
  return found;
}

/** What holds for every page with positions, whatever it shows. */
export function expectSoundPositions(page: PageAnswer): void {
  const text = [...(page.text ?? '')];
  for (const word of [...wordsOf(page), ...(page.lines ?? [])]) {
    expect(word.polygon).toHaveLength(8);
    for (const value of word.polygon) expect(value >= 0 && value <= 1, `${word.text}: ${word.polygon}`).toBe(true);
    if (word.span)
      expect(
        text
          .slice(...word.span)
          .join('')
          .replace(/\s/g, ''),
      ).toBe(word.text.replace(/\s/g, ''));
  }
}
