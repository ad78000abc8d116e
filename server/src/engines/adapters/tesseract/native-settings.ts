import { countedWarnings, printable } from '../../model/counted-warnings.ts';
import type { EngineSettings, Forwarded } from '../../model/engine.ts';
import { withOwnLanguage } from '../../model/own-language.ts';
import { chooseLanguages } from './languages/languages.ts';

/** The caller's native_settings, divided into the program's options and its variables. */
export interface NativeSettings {
  readonly lang: string | null;
  readonly psm: number | null;
  readonly dpi: number | null;
  readonly variables: Readonly<Record<string, string>>;
  /** The settings that are used, as the caller gave them. */
  readonly used: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** Options by the names of variables. */
const ALIASES: Readonly<Record<string, string>> = {
  tessedit_pageseg_mode: 'psm',
  tessedit_ocr_engine_mode: 'oem',
  user_defined_dpi: 'dpi',
};

/** Variables that name, read or write files, open windows, or change what comes out beside the text. */
const REFUSED =
  /file|path|_dirs?$|tessdata|user_words|user_patterns|sublangs|init_config|page_number|write|create|save|dump|debug|log_level|display|show|draw|plot|interactive|editor|pause|train|applybox|boxes|blamer|equation|curl|unlv|parallelize/i;

/** Reads native_settings. Never throws: a setting that cannot be used is ignored, and named in a warning. */
export function readNativeSettings(native: Readonly<Record<string, unknown>>): NativeSettings {
  let lang: string | null = null;
  let psm: number | null = null;
  let dpi: number | null = null;
  const variables: Record<string, string> = {};
  const used = new Map<string, [given: string, value: unknown]>();
  const warnings: string[] = [];

  for (const [given, value] of Object.entries(native)) {
    const key = ALIASES[given] ?? given;
    const problem = problemWith(key, value);
    if (problem) {
      warnings.push(`native_settings.${printable(given)} was ignored: ${problem}.`);
      continue;
    }
    used.set(key, [given, value]); // of two names for one option the later one counts
    if (key === 'lang') lang = String(value);
    else if (key === 'psm') psm = Number(value);
    else if (key === 'dpi') dpi = Number(value);
    else if (key !== 'oem') variables[key] = variableText(value);
  }
  const more = (count: number) => `${count} more fields of native_settings were ignored.`;
  return {
    lang,
    psm,
    dpi,
    variables,
    used: Object.fromEntries(used.values()),
    warnings: countedWarnings(warnings, more),
  };
}

/** The used settings that a version of the program took, with the mode in which it reads. */
export function takenSettings(
  { used, psm }: NativeSettings,
  { unknown, mode }: { unknown: readonly string[]; mode: number },
): Record<string, unknown> {
  const known = Object.entries(used).filter(([given]) => !unknown.includes(given));
  const inMode = ([given, value]: [string, unknown]) =>
    (ALIASES[given] ?? given) === 'psm' && psm !== mode ? mode : value;
  return Object.fromEntries(known.map((entry) => [entry[0], inMode(entry)]));
}

/** The settings for the program as far as they are known without it: it may lack data for a language, and not know a variable. */
export function forwardedUnseen(settings: EngineSettings): Forwarded {
  const { lang, used } = readNativeSettings(settings.native);
  const languages = lang === null ? [settings.languageNative].flat() : chooseLanguages(lang, () => true).languages;
  return forwardedAs({ ...settings, native: used }, { languages, own: lang });
}

/**
 * The settings that the program was told, in these languages: they may be fewer than those of the request, or come from its own
 * parameter (`own`).
 */
export function forwardedAs(
  settings: EngineSettings,
  { languages, own }: { languages: readonly string[]; own: string | null },
): Forwarded {
  const languageNative = languages.join('+');
  return own === null
    ? { language: settings.language, languageNative, native: settings.native }
    : withOwnLanguage(settings, languageNative);
}

function problemWith(key: string, value: unknown): string | null {
  switch (key) {
    case 'lang':
      return typeof value === 'string' ? null : 'it must be a string such as "eng" or "eng+jpn"';
    case 'psm':
      return isWhole(value, 1, 13) && Number(value) !== 2 ? null : 'a mode that reads text is 1, or 3 to 13';
    case 'dpi':
      return isWhole(value, 70, 2400) ? null : 'it must be a whole number from 70 to 2400';
    case 'oem':
      // The language data holds the neural network alone, so these two are the same.
      return isWhole(value, 1, 3) && Number(value) !== 2 ? null : 'only the neural network (1, or 3) is available';
    default:
      return problemWithVariable(key, value);
  }
}

function problemWithVariable(key: string, value: unknown): string | null {
  if (!/^[a-z][a-z0-9_]{1,60}$/i.test(key)) return 'this is no name of a Tesseract variable';
  if (REFUSED.test(key)) return 'this service does not let callers set it';
  if (!['string', 'number', 'boolean'].includes(typeof value)) return 'it must be a string, a number or a boolean';
  if (/\p{Cc}/u.test(String(value)) || String(value).length > 2000) return 'its value is too long or not printable';
  return null;
}

function isWhole(value: unknown, least: number, most: number): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  if (!/^\d{1,4}$/.test(String(value))) return false;
  return Number(value) >= least && Number(value) <= most;
}

function variableText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
}
