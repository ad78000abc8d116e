/** The first of the codes that no character of the first plane has: they stand for characters beyond it. */
const FIRST_SPARE = 0xd800;
const LAST_SPARE = 0xdfff;
const REPLACEMENT = 0xfffd;
const BLANK = 0x20;
/** Most entries of a section of a CMap. */
const SECTION = 100;

/**
 * Two-byte codes for the characters of a text layer. A character of the first plane is its own code; any other gets a spare code
 * of this file, because readers do not join pairs of surrogates.
 */
export class GlyphCodes {
  readonly #spare = new Map<string, number>();

  /** The codes of a text as a hexadecimal string, and how many there are. */
  encode(text: string): { readonly hex: string; readonly count: number } {
    const codes = [...text].map((character) => this.#codeOf(character));
    return { hex: codes.map(hex4).join(''), count: codes.length };
  }

  /** The CMap that says for every code which character it is. */
  toUnicode(): string {
    const spare = [...this.#spare].map(([character, code]) => `<${hex4(code)}> <${utf16(character)}>`);
    const sections = [];
    for (let at = 0; at < spare.length; at += SECTION) {
      const part = spare.slice(at, at + SECTION);
      sections.push(`${part.length} beginbfchar`, ...part, 'endbfchar');
    }
    return [...CMAP_HEAD, ...sections, ...CMAP_FOOT].join('\n');
  }

  #codeOf(character: string): number {
    const code = character.codePointAt(0) ?? BLANK;
    if (code < BLANK) return BLANK;
    if (code <= 0xffff) return code >= FIRST_SPARE && code <= LAST_SPARE ? REPLACEMENT : code;
    const known = this.#spare.get(character);
    if (known !== undefined) return known;
    const next = FIRST_SPARE + this.#spare.size;
    if (next > LAST_SPARE) return REPLACEMENT;
    this.#spare.set(character, next);
    return next;
  }
}

function hex4(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}

function utf16(character: string): string {
  return Array.from({ length: character.length }, (_, index) => hex4(character.charCodeAt(index))).join('');
}

const CMAP_HEAD = [
  '/CIDInit /ProcSet findresource begin',
  '12 dict begin',
  'begincmap',
  '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
  '/CMapName /Adobe-Identity-UCS def',
  '/CMapType 2 def',
  '1 begincodespacerange',
  '<0000> <FFFF>',
  'endcodespacerange',
  '2 beginbfrange',
  '<0000> <D7FF> <0000>',
  '<E000> <FFFF> <E000>',
  'endbfrange',
];
const CMAP_FOOT = ['endcmap', 'CMapName currentdict /CMap defineresource pop', 'end', 'end'];
