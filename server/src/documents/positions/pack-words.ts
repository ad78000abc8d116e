import { cleanText } from '../../database/storable.ts';
import { atOnce } from '../../platform/turns/slices.ts';
import type { PageSize, PlacedWords } from '../formats/document.ts';
import { packFoundWords } from './pack-found-words.ts';
import { isOversized, packPage } from './pack-page.ts';
import { type FoundWords, placedLines } from './placed-words.ts';

/**
 * Packs the words of a page in the thread that reads it: threads do so side by side, and the service's own thread gets a
 * hundredth of what the words are as objects. `text` is the page's.
 */
export function packWords(found: FoundWords, { page, text }: { page: PageSize; text: string }): PlacedWords {
  const stored = cleanText(text);
  const packed = packFoundWords(found, { page, text: stored });
  if (packed) return packed;
  const lines = placedLines(found);
  const count = lines.reduce((sum, { words }) => sum + words.length, 0);
  if (isOversized(lines)) return { count, page: null };
  return { count, page: atOnce(packPage(lines, { page, text: stored, isTextLayer: true })) };
}

/** The number of words of a page; 0 where they are null or absent. */
export function wordCount(words: PlacedWords | null | undefined): number {
  return words?.count ?? 0;
}
