/** Code points: what people count as characters, and never half of a surrogate pair. */
const PREVIEW_LENGTH = 2000;

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
