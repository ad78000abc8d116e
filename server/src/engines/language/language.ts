import { EASYOCR_NAMES, TESSERACT_NAMES, TESSERACT_VARIANTS } from './language-names.ts';

/** How an adapter wants its languages: three-letter codes, a list of EasyOCR's or of BCP-47 codes, or a word in a prompt. */
export type LanguageFamily = 'three-letter' | 'list' | 'bcp-47' | 'prompt';

export interface MappedLanguage {
  /** What was applied, in the caller's terms: `en`, `zh-Hant`, `en+ja`; an unknown code as it was given. */
  readonly language: string;
  /** The same in the engine's own words: `eng+jpn`, `['en', 'ja']`, `English and Japanese`. */
  readonly native: string | string[];
  readonly warning?: string;
}

interface Word {
  readonly given: string;
  readonly language: string;
  /** Null when the engine family has no word for it. */
  readonly native: string | null;
}

const DEFAULT_LANGUAGE = 'en';
const MAX_LANGUAGES = 10;
/** Of an engine's own. */
const MOST_CODES = 20;
/** What a code may look like. Anything else is no code of any engine, and must not reach a command line. */
const CODE = /^[a-z0-9]{2,12}(?:[-_][a-z0-9]{1,12}){0,5}$/i;
const QUOTED_LENGTH = 40;
const ENGLISH_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const ENUMERATION = new Intl.ListFormat('en-GB', { type: 'conjunction' });
/** ISO codes by the engines' own names. */
const BY_NAME = new Map([
  ...[EASYOCR_NAMES, TESSERACT_NAMES].flatMap((names) =>
    Object.entries(names).map(([code, name]) => [name, code] as const),
  ),
  ...Object.entries(TESSERACT_VARIANTS),
  ['nor', 'no'],
  ['no', 'no'],
]);

/**
 * `settings.language`, or else `options.language_hints`, in an engine family's words. ISO codes of two or three letters,
 * regions (`en-US`) and Tesseract's and EasyOCR's names are understood; an unknown code is passed on with a warning.
 */
export function mapLanguage(
  family: LanguageFamily,
  setting: string | undefined,
  hints: readonly string[] | undefined,
): MappedLanguage {
  const given = (setting?.trim() ? setting.split('+') : (hints ?? [])).map((code) => code.trim()).filter(Boolean);
  const used = given.slice(0, MAX_LANGUAGES).filter((code) => CODE.test(code));
  const words = (used.length > 0 ? used : [DEFAULT_LANGUAGE]).map((code) => translate(family, code));
  const natives = [...new Set(words.map((word) => word.native ?? word.given))];
  const warning = describeProblems(given, words);
  return {
    language: [...new Set(words.map((word) => word.language))].join('+'),
    native: inFamily(family, natives),
    ...(warning !== '' && { warning }),
  };
}

/** A language in an engine's own codes, in the caller's terms; null for what is no language, or more than a page is read with. */
export function languageOf(codes: readonly string[]): string | null {
  if (codes.length === 0 || codes.length > MOST_CODES || !codes.every((code) => CODE.test(code))) return null;
  return [...new Set(codes.map((code) => isoCode(code) ?? code))].join('+');
}

function inFamily(family: LanguageFamily, natives: string[]): string | string[] {
  switch (family) {
    case 'three-letter':
      return natives.join('+');
    case 'list':
    case 'bcp-47':
      return natives;
    case 'prompt':
      return ENUMERATION.format(natives);
  }
}

function translate(family: LanguageFamily, given: string): Word {
  const language = isoCode(given);
  return { given, language: language ?? given, native: language && nativeName(family, language, given.toLowerCase()) };
}

function nativeName(family: LanguageFamily, language: string, given: string): string | null {
  switch (family) {
    case 'three-letter':
      return given in TESSERACT_VARIANTS ? given : (TESSERACT_NAMES[language] ?? null);
    case 'list':
      return language in TESSERACT_NAMES ? (EASYOCR_NAMES[language] ?? language) : null;
    case 'bcp-47':
      return language in TESSERACT_NAMES || ENGLISH_NAMES.of(language) ? language : null;
    case 'prompt':
      return ENGLISH_NAMES.of(language) ?? null;
  }
}

/** The ISO code of a language, with its script where that decides (`zh-TW` is `zh-Hant`); null for an unknown one. */
function isoCode(given: string): string | null {
  const named = BY_NAME.get(given.toLowerCase());
  if (named) return named;
  const locale = parseLocale(given.replaceAll('_', '-'));
  if (!locale || !ENGLISH_NAMES.of(locale.language)) return null;
  const withScript = `${locale.language}-${locale.maximize().script}`;
  return withScript in TESSERACT_NAMES ? withScript : locale.language;
}

function parseLocale(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}

function describeProblems(given: readonly string[], words: readonly Word[]): string {
  const problems: string[] = [];
  for (const code of given.slice(0, MAX_LANGUAGES)) {
    if (!CODE.test(code)) problems.push(`"${code.slice(0, QUOTED_LENGTH)}" is no language code and was left out.`);
  }
  if (problems.length > 0 && problems.length === given.length) problems.push('English is assumed.');
  for (const word of words) {
    if (word.native === null) problems.push(`Language "${word.given}" is not known; the engine received it as it is.`);
  }
  if (given.length > MAX_LANGUAGES) problems.push(`Only the first ${MAX_LANGUAGES} languages were used.`);
  return problems.join(' ');
}
