import { sentences } from './sentences.ts';

/** Code points: what people count as characters, and never half of a surrogate pair. */
export const PREVIEW_LENGTH = 2000;

/** The beginning of a text, as `extracted_text_preview` shows it. */
export function previewOf(text: string): string {
  return text.slice(0, unitsOf(text, PREVIEW_LENGTH));
}

/** UTF-16 units of the first code points; only so far into the text is looked. */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  for (let count = 0; count < codePoints && units < text.length; count++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

/** What the caller of a partial result is told: why it is one, and what of it is kept. */
export function partialNote(reason: string | null, kept: 'preview' | 'nothing'): string {
  const what =
    kept === 'preview'
      ? 'The preview is all that is kept.'
      : 'Nothing of it was kept: OCR history is or was off, or it was deleted or not to be kept.';
  return sentences([`Only part of the text was recovered: ${reason}`, what]);
}
