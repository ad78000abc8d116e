import { printable } from './native-settings.ts';

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
  const found = asked.filter(usable);
  const languages = found.length > 0 ? found : ['eng'];
  const used = found.length > 0 ? found.join('+') : 'English';
  return {
    languages,
    warnings: asked
      .filter((code) => !usable(code))
      .map((code) => `tesseract has no data for language "${printable(code)}"; the page was read with ${used}.`),
  };
}
