import { countedWarnings, printable } from '../../model/counted-warnings.ts';

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
  const usable = (code: string) => /^[A-Za-z_]{2,40}$/.test(code) && !NO_LANGUAGE.has(code) && knows(code);
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
