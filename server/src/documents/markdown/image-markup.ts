/** Most nested brackets in an image's address; beyond this it is no address. The bound keeps hostile text linear. */
const MAX_NESTING = 32;
const HTML_TAG = /<img\s[^<>]*>/iy;
const HTML_SOURCE = /\ssrc\s*=/i;
/** The element that PaddleOCR puts around the pictures of a page, on one line; with anything else in it, it is text. */
const HTML_WRAPPER = /<div(?:\s[^<>]*)?>\s*(?:<img\s[^<>]*>\s*)+<\/div\s*>/iy;
const HTML_TAGS = /<img\s[^<>]*>/gi;

/** Removes image markup from a line: `![alt](address)`, `![alt][reference]`, `<img src=…>` and a `<div>` of nothing else. */
export function withoutImages(line: string): string {
  if (!line.includes('![') && !line.includes('<')) return line;
  let kept = '';
  let from = 0;
  for (const image of findImages(line)) {
    kept += line.slice(from, image.start);
    from = image.end;
  }
  return kept + line.slice(from);
}

/** Whether anything can be read besides image markup: an answer of nothing but pictures is no text. */
export function hasTextBesidesImages(text: string): boolean {
  return text.split('\n').some((line) => withoutImages(line).trim() !== '');
}

export interface Span {
  /** Index of the first character. */
  readonly start: number;
  /** Index after the last character. */
  readonly end: number;
}

/** Finds the outermost images of a line, in order. `literal` says which characters are not markup (escaped, or in code). */
export function findImages(line: string, literal: (index: number) => boolean = () => false): Span[] {
  const found: Span[] = [];
  const openings: { index: number; image: boolean }[] = [];
  let i = 0;
  while (i < line.length) {
    const char = line[i];
    if (literal(i)) {
      i += 1;
    } else if (char === '!' && line[i + 1] === '[') {
      openings.push({ index: i, image: true });
      i += 2;
    } else if (char === '[') {
      openings.push({ index: i, image: false });
      i += 1;
    } else if (char === ']') {
      const opening = openings.pop();
      const end = opening?.image ? targetEnd(line, i + 1) : null;
      if (opening && end !== null) keepOutermost(found, { start: opening.index, end });
      i = end ?? i + 1;
    } else if (char === '<') {
      const end = htmlImageEnd(line, i);
      if (end !== null) keepOutermost(found, { start: i, end });
      i = end ?? i + 1;
    } else {
      i += 1;
    }
  }
  return found;
}

function keepOutermost(found: Span[], span: Span): void {
  while ((found.at(-1)?.start ?? -1) > span.start) found.pop();
  found.push(span);
}

function htmlImageEnd(line: string, start: number): number | null {
  HTML_TAG.lastIndex = start;
  HTML_WRAPPER.lastIndex = start;
  const markup = (HTML_TAG.exec(line) ?? HTML_WRAPPER.exec(line))?.[0];
  const isImage = markup?.match(HTML_TAGS)?.every((tag) => HTML_SOURCE.test(tag));
  return markup && isImage ? start + markup.length : null;
}

/** The end of the `(address "title")` or `[reference]` that begins at `start`; null where neither does. */
function targetEnd(line: string, start: number): number | null {
  if (line[start] === '[') return referenceEnd(line, start);
  if (line[start] !== '(') return null;
  let depth = 0;
  for (let i = start; i < line.length; i += 1) {
    const char = line[i];
    if (char === '\\') i += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth === 0) return i + 1;
    if (depth > MAX_NESTING) return null;
  }
  return null;
}

function referenceEnd(line: string, start: number): number | null {
  for (let i = start + 1; i < line.length; i += 1) {
    if (line[i] === ']') return i + 1;
    if (line[i] === '[') return null;
  }
  return null;
}
