/** Numbers of a text's characters by kind, in UTF-16 units, without white space and characters of no width. */
export interface TextQuality {
  readonly letters: number;
  /** Leaders, rules, bullets and frames: good pages may have many of them. */
  readonly filling: number;
  /** All other marks. */
  readonly signs: number;
  /** Characters that no text has: control codes, private use, replacement characters. */
  readonly noise: number;
}

const UNKNOWN = 0;
const SPACE = 1;
const LETTER = 2;
const FILLING = 3;
const SIGN = 4;
const NOISE = 5;

/** The class of each UTF-16 unit met so far: pages are judged by the hundred, and there is only time for a look-up. */
const known = new Uint8Array(0x10000);

export function textQuality(text: string): TextQuality {
  const counts = new Uint32Array(NOISE + 1);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const kind = known[unit] || learn(unit);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const [, , letters = 0, filling = 0, signs = 0, noise = 0] = counts;
  return { letters, filling, signs, noise };
}

function learn(unit: number): number {
  known[unit] = classOf(unit);
  return known[unit] ?? UNKNOWN;
}

function classOf(unit: number): number {
  // Pairs beyond the first plane are letters and emoji, but for the private use at the end of them.
  if (unit >= 0xd800 && unit <= 0xdfff) return unit >= 0xdb80 && unit <= 0xdbff ? NOISE : LETTER;
  // PDFium writes U+FFFE for a hyphen at the end of a line.
  if (unit === 0xfffe) return FILLING;
  const character = String.fromCharCode(unit);
  if (/[\s\p{Cf}]/u.test(character)) return SPACE;
  if (/[\p{L}\p{M}\p{N}]/u.test(character)) return LETTER;
  if (/[\p{C}\ufffd]/u.test(character)) return NOISE;
  return /[.…·•_\p{Pd}=*|\u2500-\u25ff]/u.test(character) ? FILLING : SIGN;
}
