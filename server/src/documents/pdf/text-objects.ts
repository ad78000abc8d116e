import { floatsAt, memoryOf, type Pdfium, type Pointer, withMemory } from './library/pdfium.ts';
import { type PageObject, pageObjects } from './pdf-objects.ts';
import { isBlank, type TextObject } from './single-glyphs/text-object.ts';

const FLOAT_BYTES = 4;
const UTF16 = new TextDecoder('utf-16be');
const LATIN1 = new TextDecoder('latin1');
/** Most bytes of the text of a span that is a cluster of letters, as complex scripts have them. */
const MOST_SPAN_BYTES = 512;
const KEY = Buffer.from('ActualText\0', 'latin1');

/** Whether blanks are objects of a page: only then are its objects looked at one by one. */
export function drawsBlanks(pdfium: Pdfium, page: Pointer): boolean {
  for (const object of pageObjects(pdfium, page)) {
    if (object.kind === 'text' && isBlank({ box: object.box() })) return true;
  }
  return false;
}

/** The pieces of text of a page, those inside groups included. */
export function textObjects(pdfium: Pdfium, page: Pointer): TextObject[] {
  const found: TextObject[] = [];
  const texts = new Map<Pointer, string | null>();
  withMemory(pdfium, KEY.length + FLOAT_BYTES + MOST_SPAN_BYTES, (key) => {
    memoryOf(pdfium).set(KEY, key);
    const scratch = key + KEY.length + (FLOAT_BYTES - (KEY.length % FLOAT_BYTES));
    for (const object of pageObjects(pdfium, page)) {
      if (object.kind !== 'text') continue;
      const span = spanOf(pdfium, object.handle, { key, scratch, texts });
      found.push({ ...placeOf(pdfium, object, scratch), span, spanText: texts.get(span) ?? '' });
    }
  });
  return found;
}

function placeOf(pdfium: Pdfium, { handle, box, matrix }: PageObject & { kind: 'text' }, scratch: Pointer) {
  const [a, b, , , x, y] = matrix();
  pdfium.FPDFTextObj_GetFontSize(handle, scratch);
  const [size = 0] = floatsAt(pdfium, scratch, 1);
  return { handle, x, y, size: size * Math.hypot(a, b), box: box() };
}

interface Lookup {
  readonly key: Pointer;
  readonly scratch: Pointer;
  readonly texts: Map<Pointer, string | null>;
}

/** The innermost mark of an object that has a text; 0 for none. */
function spanOf(pdfium: Pdfium, object: Pointer, { key, scratch, texts }: Lookup): Pointer {
  for (let index = pdfium.FPDFPageObj_CountMarks(object) - 1; index >= 0; index--) {
    const mark = pdfium.FPDFPageObj_GetMark(object, index);
    if (mark === 0 || pdfium.FPDFPageObjMark_CountParams(mark) <= 0) continue;
    const known = texts.get(mark);
    const text = known === undefined ? textOfMark(pdfium, mark, { key, scratch }) : known;
    texts.set(mark, text);
    if (text !== null) return mark;
  }
  return 0;
}

function textOfMark(pdfium: Pdfium, mark: Pointer, { key, scratch }: Pick<Lookup, 'key' | 'scratch'>) {
  const at = scratch + FLOAT_BYTES;
  const room = MOST_SPAN_BYTES - FLOAT_BYTES;
  // As a string it would come with the high bytes of its letters lost.
  if (pdfium.FPDFPageObjMark_GetParamBlobValue(mark, key, at, room, scratch) !== 1) return null;
  const [bytes = 0] = new Uint32Array(pdfium.memory.buffer, scratch, 1);
  if (bytes === 0) return null;
  return bytes > room ? '' : decoded(memoryOf(pdfium).slice(at, at + bytes));
}

function decoded(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xfe && bytes[1] === 0xff;
  return (isUtf16 ? UTF16 : LATIN1).decode(bytes);
}
