export const FONT_NAME = 'OcrRouterGlyphless';
/** Thousandths of the font's size, as all lengths below. */
export const GLYPH_WIDTH = 500;
export const ASCENT = 1000;
export const DESCENT = -1;

const EM = 1000;
const GLYPHS = 2;
const POINTS = 3;
const GLYPH_BYTES = 30;
const MAGIC = 0x5f0f3cf5;
const CHECKSUM_OF_ALL = 0xb1b0afba;
const CHECKSUM_AT = 8;

/**
 * Makes a TrueType font whose glyphs cover nothing: text in it can be found, marked and copied, and is not seen. Glyph 0 is
 * empty; glyph 1 is a line to the opposite corner and back, because PDFium leaves out turned text whose glyphs have no extent.
 */
export function glyphlessFont(): Uint8Array {
  const tables: [tag: string, bytes: Uint8Array][] = [
    ['cmap', characterMap()],
    ['glyf', diagonal()],
    ['head', head()],
    ['hhea', horizontalHeader()],
    ['hmtx', shorts([GLYPH_WIDTH, 0, 0])],
    ['loca', shorts([0, 0, GLYPH_BYTES / 2])],
    ['maxp', maximumProfile()],
    ['name', shorts([0, 0, 6])],
    ['post', post()],
  ];
  return assemble(tables);
}

function assemble(tables: readonly [tag: string, bytes: Uint8Array][]): Uint8Array {
  const count = tables.length;
  const power = 2 ** Math.floor(Math.log2(count));
  const header = 12 + 16 * count;
  const offsets = new Map<string, number>();
  let end = header;
  for (const [tag, { length }] of tables) {
    offsets.set(tag, end);
    end += Math.ceil(length / 4) * 4;
  }
  const font = new Uint8Array(end);
  const view = new DataView(font.buffer);
  view.setUint32(0, 0x00010000);
  font.set(shorts([count, power * 16, Math.log2(power), (count - power) * 16]), 4);
  for (const [index, [tag, bytes]] of tables.entries()) {
    const at = 12 + 16 * index;
    const offset = offsets.get(tag) ?? 0;
    font.set(new TextEncoder().encode(tag), at);
    font.set(bytes, offset);
    const length = Math.ceil(bytes.length / 4) * 4;
    for (const [field, value] of [checksum(view, offset, length), offset, bytes.length].entries()) {
      view.setUint32(at + 4 + 4 * field, value);
    }
  }
  view.setUint32((offsets.get('head') ?? 0) + CHECKSUM_AT, (CHECKSUM_OF_ALL - checksum(view, 0, end)) >>> 0);
  return font;
}

function checksum(view: DataView, offset: number, length: number): number {
  let sum = 0;
  for (let at = offset; at < offset + length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}

function head(): Uint8Array {
  const table = new Uint8Array(54);
  const view = new DataView(table.buffer);
  view.setUint32(0, 0x00010000);
  view.setUint32(4, 0x00010000);
  view.setUint32(12, MAGIC);
  // Flags, units an em; then two dates, which stay 0: the font is the same in every file.
  table.set(shorts([0b11, EM]), 16);
  // The box of all glyphs, no style, smallest size, direction, short offsets, format.
  table.set(shorts([0, 0, GLYPH_WIDTH, EM, 0, 8, 2, 0, 0]), 36);
  return table;
}

function horizontalHeader(): Uint8Array {
  const table = new Uint8Array(36);
  new DataView(table.buffer).setUint32(0, 0x00010000);
  // Ascender, descender, line gap, widest advance, bearings, extent, slope of the caret.
  table.set(shorts([ASCENT, DESCENT, 0, GLYPH_WIDTH, 0, 0, 0, 1]), 4);
  table.set(shorts([1]), 34);
  return table;
}

function diagonal(): Uint8Array {
  const table = new Uint8Array(GLYPH_BYTES);
  // One contour, its box, its last point, no instructions; a flag for each point; then their distances from each other.
  table.set(shorts([1, 0, 0, GLYPH_WIDTH, EM, POINTS - 1, 0]));
  table.set([1, 1, 1], 14);
  table.set(shorts([0, GLYPH_WIDTH, -GLYPH_WIDTH, 0, EM, -EM]), 17);
  return table;
}

function maximumProfile(): Uint8Array {
  const table = new Uint8Array(32);
  new DataView(table.buffer).setUint32(0, 0x00010000);
  table.set(shorts([GLYPHS, POINTS, 1]), 4);
  table.set(shorts([1]), 14);
  return table;
}

/**
 * The character map: one table for Windows, Unicode, of format 6. The blank is glyph 1; no other character is looked up by it.
 */
function characterMap(): Uint8Array {
  return shorts([0, 1, 3, 1, 0, 12, 6, 12, 0, 0x20, 1, 1]);
}

function post(): Uint8Array {
  const table = new Uint8Array(32);
  const view = new DataView(table.buffer);
  view.setUint32(0, 0x00030000);
  view.setUint32(12, 1);
  return table;
}

function shorts(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setInt16(index * 2, value);
  return bytes;
}
