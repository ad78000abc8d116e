/** Ids are letters and digits of Crockford's base 32: no I, L, O, U. People may paste them in lower case. */
const REQUEST_ID = /\bocr_([0-9A-HJKMNP-TV-Z]{26})\b/i;

/** Ids of calls that never became a request; their answers had them in `X-Request-Id`. */
const CALL_ID = /\breq_([0-9A-HJKMNP-TV-Z]{26})\b/i;

/** The first id of a call in a text; null without one. */
export function callIdIn(text: string): string | null {
  const found = CALL_ID.exec(text)?.[1];
  return found === undefined ? null : `req_${found.toUpperCase()}`;
}

/** The first request id in a text, such as a log line; null without one. */
export function requestIdIn(text: string): string | null {
  const found = REQUEST_ID.exec(text)?.[1];
  return found === undefined ? null : `ocr_${found.toUpperCase()}`;
}
