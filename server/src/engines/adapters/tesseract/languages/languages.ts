import { languagesOfScript, scriptOf } from '../../../language/scripts.ts';
import { countedWarnings, printable } from '../../../model/counted-warnings.ts';

/** Languages that one page is read with; each is data to load and a pass over the page. */
const MOST_LANGUAGES = 20;

/** Orientation and equation data are no languages: nothing can be read with them alone. */
const NO_LANGUAGE = new Set(['osd', 'equ']);

/**
 * The languages to read with, out of a wish such as `eng+jpn`. What there is no data for is left out with a warning;
 * where nothing is left, English reads. Codes that could be anything but a code never get further than this.
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

/** A page that reads with less was not read: foreign letters are taken for Latin ones with 0.02 to 0.42. */
export const UNREAD = 0.5;
/** A few of them with more, where nothing else was asked for; pages in the letters of another language read better. */
export const UNREAD_IF_NAMED = 0.85;
/** Of Tesseract's detection: at less it says what it says of any page. */
const LEAST_SCRIPT_CONFIDENCE = 1;
/**
 * Detection knows no Armenian, Georgian or Ethiopic, and takes them for other scripts. Pages in known letters read as badly where
 * these are out of focus or small. So many letters are no chance.
 */
const CLEAR = { letters: 20, wordHeight: 20, edgeSteepness: 0.35 };
/** Detection gives up on fewer letters than it is shown here: it is shown them several times. */
const CLEAR_LINE = { letters: 12, most: 60, scriptConfidence: 10 };
/** Foreign words read with less; a name or a code with one that is known, or that detection takes for Latin, reads as badly as a line of them. */
const FOREIGN_LINE = { word: 0.7, latin: 0.15 };
/** With fewer letters than are no chance; a long word that reads like nothing at all is enough. */
const FOREIGN_WORDS = { words: 3, confidence: 0.25, nothing: 0.1 };
/** What detection takes a few Latin letters for. */
const LIKE_LATIN = /^(Latin|Fraktur|Cyrillic|Greek|Han|Hangul|Japanese|Korean|Katakana|Hiragana)$/;

/** As Tesseract's detection calls it; null where that does not say. */
type Script = { readonly name: string; readonly confidence: number } | null;

interface Wish {
  readonly wish: string | readonly string[];
  /** What the page was read with. */
  readonly languages: readonly string[];
  readonly knows: (code: string) => boolean;
}

/**
 * A language that was asked for, which there is no data for and whose letters are none of those that were read; whether it is all
 * that was asked for.
 */
export function unknownLetters({ wish, languages, knows }: Wish): { code: string; isAlone: boolean } | null {
  const used = languages.map(scriptOf);
  const asked = [wish].flat().flatMap((codes) => codes.split('+').map((code) => code.trim()));
  const isUnknown = (code: string) =>
    isCode(code) && !knows(code) && scriptOf(code) !== null && !used.includes(scriptOf(code));
  const code = asked.find(isUnknown);
  return code === undefined ? null : { code, isAlone: !asked.some((one) => languages.includes(one)) };
}

/** Why a page cannot be read for want of data, and what to install; null where that is not the reason. */
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

/** Whether a page that was not read has a line or two of letters that their script may be told from. */
export function isClearLine(page: Letters): boolean {
  return page.letters >= CLEAR_LINE.letters && page.letters < CLEAR_LINE.most && areLargeAndSharp(page);
}

/** The script of a line, where detection is so sure of it that no Latin name or code is taken for it. */
export function sureOfLine(script: Script): Script {
  const isSure = script !== null && script.confidence >= CLEAR_LINE.scriptConfidence && !LIKE_LATIN.test(script.name);
  return isSure ? script : null;
}

interface ReadLine {
  readonly text: string;
  readonly letters: number;
  readonly confidence: number;
  /** Of its words of three letters and more. */
  readonly surestWord: number;
}

/** Whether the letters of a line that was not read are no Latin ones, and the line no code. */
export function isForeignLine({ text, letters, confidence, surestWord }: ReadLine, script: Script): boolean {
  if (surestWord >= FOREIGN_LINE.word) return false;
  if (script?.name === 'Latin' && confidence >= FOREIGN_LINE.latin) return false;
  if (letters >= CLEAR.letters) return true;
  if (confidence < FOREIGN_WORDS.nothing) return true;
  const words = text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
  return confidence < FOREIGN_WORDS.confidence && words.length >= FOREIGN_WORDS.words && !/\d/.test(text);
}

/** What is said of clear letters that no data here reads. */
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
