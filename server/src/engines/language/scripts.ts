/** ISO 15924 code of the script that a language is written in, such as `Cyrl`; null where that is not known. */
export function scriptOf(code: string): string | null {
  const own = OWN_CODES[code];
  if (own) return own;
  try {
    return new Intl.Locale(code.split('_')[0] ?? code).maximize().script ?? null;
  } catch {
    return null; // no language code
  }
}

/** Codes of Tesseract that are none of the standard's. */
const OWN_CODES: Readonly<Record<string, string>> = { chi_sim: 'Hans', chi_tra: 'Hant' };

/** The languages that are written in a script, as Tesseract's detection calls it: one with data reads its letters. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  Arabic: ['ara', 'fas', 'urd', 'pus', 'uig'],
  Armenian: ['hye'],
  Bengali: ['ben', 'asm'],
  Cyrillic: ['rus', 'ukr', 'bul', 'srp', 'mkd', 'bel', 'kaz', 'mon'],
  Devanagari: ['hin', 'mar', 'nep', 'san'],
  Ethiopic: ['amh', 'tir'],
  Georgian: ['kat'],
  Greek: ['ell', 'grc'],
  Gujarati: ['guj'],
  Gurmukhi: ['pan'],
  Han: ['chi_sim', 'chi_tra', 'jpn'],
  Hangul: ['kor'],
  Hebrew: ['heb', 'yid'],
  Hiragana: ['jpn'],
  Japanese: ['jpn'],
  Kannada: ['kan'],
  Katakana: ['jpn'],
  Khmer: ['khm'],
  Korean: ['kor'],
  Lao: ['lao'],
  Malayalam: ['mal'],
  Myanmar: ['mya'],
  Oriya: ['ori'],
  Sinhala: ['sin'],
  Tamil: ['tam'],
  Telugu: ['tel'],
  Thai: ['tha'],
  Tibetan: ['bod', 'dzo'],
};

/** Languages of a script by the name that Tesseract's detection gives it; none for Latin and unknown ones. */
export function languagesOfScript(name: string): readonly string[] {
  return Object.hasOwn(LANGUAGES, name) ? (LANGUAGES[name] ?? []) : [];
}
