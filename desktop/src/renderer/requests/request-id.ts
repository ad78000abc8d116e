/** Ids are letters and digits of Crockford's base 32: no I, L, O, U. People may paste them in lower case. */
const REQUEST_ID = /\bocr_([0-9A-HJKMNP-TV-Z]{26})\b/i;

/** The first request id in a text, such as a log line; null without one. */
export function requestIdIn(text: string): string | null {
  const found = REQUEST_ID.exec(text)?.[1];
  return found === undefined ? null : `ocr_${found.toUpperCase()}`;
}
