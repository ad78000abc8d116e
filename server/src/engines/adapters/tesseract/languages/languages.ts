import { languagesOfScript, scriptOf } from '../../../language/scripts.ts';
import { countedWarnings, printable } from '../../../model/counted-warnings.ts';

/** Most languages that one page is read with: each is data to load and a pass over the page. */
const MOST_LANGUAGES = 20;

/** Codes of data that is no language: nothing can be read with it alone. */
const NO_LANGUAGE = new Set(['osd', 'equ']);

/**
 * The languages to read with, out of a wish such as `eng+jpn`. A language without data is left out with a warning; where none is
 * left, English reads. Texts that could be anything but a code get no further than this.
 */
export function chooseLanguages(
  wish: string | readonly string[],
  knows: (code: string) => boolean,
): { languages: string[]; warnings: string[] } {
  const codes = [wish].flat().flatMap((codes) => codes.split('+'));
  const asked = [...new Set(codes.map((code) => code.trim()))].filter((code) => code !== '');
  const usable = (code: string) => isCode(code) && knows(code);
  const known = asked.filter(usable);
  const found = known.slice(0, MOST_LANGUAGES);
  const languages = found.length > 0 ? found : ['eng'];
  const used = found.length > 0 ? found.join('+') : 'English';
  const missing = asked
    .filter((code) => !usable(code))
    .map((code) => `tesseract has no data for language "${printable(code)}"; the page was read with ${used}.`);
  const warnings = countedWarnings(missing, (more) => `tesseract has no data for ${more} more of the languages.`);
  const left = known.length - found.length;
  return left > 0
    ? {
        languages,
        warnings: [...warnings, `A page is read with ${MOST_LANGUAGES} languages at most; ${left} were left out.`],
      }
    : { languages, warnings };
}

/** Confidence below which a page was not read: foreign letters are taken for Latin ones with 0.02 to 0.42. */
export const UNREAD = 0.5;
/**
 * The same where only a language without data was asked for: a few foreign pages read with more than `UNREAD`; pages in the
 * letters of another language read better.
 */
export const UNREAD_IF_NAMED = 0.85;
/** Least confidence of a detected script: below it the detection says what it says of any page. */
const LEAST_SCRIPT_CONFIDENCE = 1;
/**
 * Least values of clear letters, for scripts that detection does not know (Armenian, Georgian, Ethiopic) and takes for others.
 * Pages in known letters read as badly where they are out of focus or small. So many letters are no chance.
 */
const CLEAR = { letters: 20, wordHeight: 20, edgeSteepness: 0.35 };
/** Values of a clear line: detection gives up on so few letters, so it is shown them several times. */
const CLEAR_LINE = { letters: 12, most: 60, scriptConfidence: 10 };
/**
 * Greatest confidences of a foreign line: for its surest word, and for a line that detection takes for Latin. A name or a code
 * may read as badly as a foreign line, but has a word that is known, or is taken for Latin.
 */
const FOREIGN_LINE = { word: 0.7, latin: 0.15 };
/**
 * Values of a foreign line with fewer letters than are no chance: several words, or a long one that reads like nothing at all.
 */
const FOREIGN_WORDS = { words: 3, confidence: 0.25, nothing: 0.1 };
/** Scripts that detection takes a few Latin letters for. */
const LIKE_LATIN = /^(Latin|Fraktur|Cyrillic|Greek|Han|Hangul|Japanese|Korean|Katakana|Hiragana)$/;

/** A script as Tesseract's detection names it; null where it does not tell. */
type Script = { readonly name: string; readonly confidence: number } | null;

interface Wish {
  readonly wish: string | readonly string[];
  /** The languages that the page was read with. */
  readonly languages: readonly string[];
  readonly knows: (code: string) => boolean;
}

/**
 * A language that was asked for, which has no data here and whose letters were not read with another language; null where there
 * is none. `isAlone`: whether no language was asked for that was read with.
 */
export function unknownLetters({ wish, languages, knows }: Wish): { code: string; isAlone: boolean } | null {
  const used = languages.map(scriptOf);
  const asked = [wish].flat().flatMap((codes) => codes.split('+').map((code) => code.trim()));
  const isUnknown = (code: string) =>
    isCode(code) && !knows(code) && scriptOf(code) !== null && !used.includes(scriptOf(code));
  const code = asked.find(isUnknown);
  return code === undefined ? null : { code, isAlone: !asked.some((one) => languages.includes(one)) };
}

/** The reason, with what to install, why a page cannot be read for want of data; null where that is not the reason. */
export function missingData({
  unknown,
  script,
  confidence,
  knows,
}: { unknown: string | null; script: Script; confidence: number } & Pick<Wish, 'knows'>): string | null {
  const isSure = script !== null && script.confidence >= LEAST_SCRIPT_CONFIDENCE;
  if (unknown) {
    const isLatin = isSure && script.name === 'Latin' && confidence >= UNREAD;
    return isLatin ? null : whatToInstall(`the language "${unknown}"`, unknown);
  }
  if (!isSure) return null;
  const [first, ...others] = languagesOfScript(script.name);
  if (!first || [first, ...others].some(knows)) return null;
  return whatToInstall(`its script, which seems to be ${script.name}`, first);
}

interface Letters {
  readonly letters: number;
  readonly wordHeight: number | null;
  readonly edgeSteepness: number;
}

/** Whether the letters of a page that was not read are large and sharp: known ones would have been read. */
export function areClear(page: Letters): boolean {
  return page.letters >= CLEAR.letters && areLargeAndSharp(page);
}

function areLargeAndSharp({ wordHeight, edgeSteepness }: Letters): boolean {
  return (wordHeight ?? 0) >= CLEAR.wordHeight && edgeSteepness >= CLEAR.edgeSteepness;
}

/** Whether a page that was not read has a line or two of letters by which their script may be recognised. */
export function isClearLine(page: Letters): boolean {
  return page.letters >= CLEAR_LINE.letters && page.letters < CLEAR_LINE.most && areLargeAndSharp(page);
}

/** The script of a line, where detection is so sure of it that it is no Latin name or code; null otherwise. */
export function sureOfLine(script: Script): Script {
  const isSure = script !== null && script.confidence >= CLEAR_LINE.scriptConfidence && !LIKE_LATIN.test(script.name);
  return isSure ? script : null;
}

interface ReadLine {
  readonly text: string;
  readonly letters: number;
  readonly confidence: number;
  /** Highest confidence of its words of three letters and more. */
  readonly surestWord: number;
}

/** Whether a line without one sure word seems to be in letters that the data does not have: not Latin, and no code with digits. */
export function isForeignLine({ text, letters, confidence, surestWord }: ReadLine, script: Script): boolean {
  if (surestWord >= FOREIGN_LINE.word) return false;
  if (script?.name === 'Latin' && confidence >= FOREIGN_LINE.latin) return false;
  if (letters >= CLEAR.letters) return true;
  if (confidence < FOREIGN_WORDS.nothing) return true;
  const words = text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
  return confidence < FOREIGN_WORDS.confidence && words.length >= FOREIGN_WORDS.words && !/\d/.test(text);
}

/** The message for clear letters that no data here reads. */
export const OTHER_LETTERS =
  'The page cannot be read: its letters are clear, and those of no language that tesseract was asked for or has data of here. ' +
  'Name its language in settings.language; the operator can install what is missing (tesseract-ocr-… of Debian, ' +
  '@tesseract.js-data/… of npm, or TESSDATA_DIR).';

export function whatToInstall(what: string, code: string): string {
  const debian = code.replaceAll('_', '-');
  return (
    `The page cannot be read: tesseract has no data here for ${what}. The operator can install it: ` +
    `tesseract-ocr-${debian} of Debian, @tesseract.js-data/${code} of npm, or ${code}.traineddata in TESSDATA_DIR.`
  );
}

function isCode(code: string): boolean {
  return /^[A-Za-z_]{2,40}$/.test(code) && !NO_LANGUAGE.has(code);
}
