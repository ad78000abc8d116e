/**
 * Most characters of the header: proxies and clients take headers of 8 kB and more; all headers together may have 16 kB or less.
 */
const LONGEST = 8000;
const BETWEEN = ' | ';

/** The value of `X-OCR-Warnings`: as many whole warnings as a header holds, and how many are left out. */
export function warningsHeader(warnings: readonly unknown[]): string {
  let value = '';
  for (const [index, warning] of warnings.entries()) {
    const text = headerText(String(warning));
    const next = value === '' ? text : `${value}${BETWEEN}${text}`;
    if (next.length > LONGEST) return `${value}${value === '' ? '' : BETWEEN}${warnings.length - index} more`;
    value = next;
  }
  return value;
}

/** A text for a header, which can have neither line breaks nor characters beyond ASCII. */
function headerText(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(/[^\x20-\x7e]/g, '?');
}
