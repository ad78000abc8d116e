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

/** A page that reads with less was not read: foreign letters are taken for Latin ones with 0.14 to 0.38. */
export const UNREAD = 0.5;
/** Of Tesseract's detection: at less it says what it says of any page. */
const LEAST_SCRIPT_CONFIDENCE = 1;
/**
 * Detection knows no Armenian and no Georgian, and is sure of Latin letters; blurred, faded and noisy pages are read with 0.5 and more
 * where it is. So many letters are no chance.
 */
const CLEAR = { scriptConfidence: 5, confidence: 0.4, letters: 40 };

/** What was found out about a page that was read badly. */
interface UnreadPage {
  readonly confidence: number;
  readonly letters: number;
  readonly wish: string | readonly string[];
  /** What it was read with. */
  readonly languages: readonly string[];
  /** As Tesseract's detection calls it; null where that does not say. */
  readonly script: { readonly name: string; readonly confidence: number } | null;
  readonly knows: (code: string) => boolean;
}

/** Why a page cannot be read for want of data, and what to install; null where that is not the reason. */
export function missingData({ wish, languages, script, knows, ...read }: UnreadPage): string | null {
  const used = languages.map(scriptOf);
  const asked = [wish].flat().flatMap((codes) => codes.split('+').map((code) => code.trim()));
  const unknown = asked.find(
    (code) => isCode(code) && !knows(code) && scriptOf(code) && !used.includes(scriptOf(code)),
  );
  if (unknown) return whatToInstall(`the language "${unknown}"`, unknown);
  if (!script || script.confidence < LEAST_SCRIPT_CONFIDENCE) return null;
  const [first, ...others] = languagesOfScript(script.name);
  if (first) {
    const isKnown = [first, ...others].some(knows);
    return isKnown ? null : whatToInstall(`its script, which seems to be ${script.name}`, first);
  }
  const isClear = script.confidence >= CLEAR.scriptConfidence && read.letters >= CLEAR.letters;
  return isClear && read.confidence < CLEAR.confidence ? OTHER_LETTERS : null;
}

const OTHER_LETTERS =
  'The page cannot be read: its letters are clear, and those of no language that tesseract was asked for or has data of here. ' +
  'Name its language in settings.language; the operator can install what is missing (tesseract-ocr-… of Debian, ' +
  '@tesseract.js-data/… of npm, or TESSDATA_DIR).';

function whatToInstall(what: string, code: string): string {
  const debian = code.replaceAll('_', '-');
  return (
    `The page cannot be read: tesseract has no data here for ${what}. The operator can install it: ` +
    `tesseract-ocr-${debian} of Debian, @tesseract.js-data/${code} of npm, or ${code}.traineddata in TESSDATA_DIR.`
  );
}

function isCode(code: string): boolean {
  return /^[A-Za-z_]{2,40}$/.test(code) && !NO_LANGUAGE.has(code);
}
