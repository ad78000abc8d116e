/** Requests, and calls that were refused before there was one; letters and digits of Crockford's base 32 after it. */
const ID = /\b(ocr|req)_([0-9A-HJKMNP-TV-Z]{26})\b/i;

/** The first id in a text, such as a line of a log, as the service writes it; null without one. */
export function pastedId(text: string): string | null {
  const [, kind, rest] = ID.exec(text) ?? [];
  return kind && rest ? `${kind.toLowerCase()}_${rest.toUpperCase()}` : null;
}

/** Whether an id is that of a refused call. */
export function isCallId(id: string): boolean {
  return id.startsWith('req_');
}
