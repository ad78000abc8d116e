/** The id of a request, or of a call that was refused before there was one: its answer had it in `X-Request-Id`. */
export interface PastedId {
  readonly kind: 'request' | 'call';
  readonly id: string;
}

/** Letters and digits of Crockford's base 32: no I, L, O, U. People may paste them in lower case. */
const ID = /\b(ocr|req)_([0-9A-HJKMNP-TV-Z]{26})\b/gi;

/** The first id in a text, such as a line of a log, as the service writes it; one of a request before those of calls. */
export function pastedId(text: string): PastedId | null {
  const found = [...text.matchAll(ID)].map(([, prefix = '', rest = '']): PastedId => {
    const kind = prefix.toLowerCase() === 'ocr' ? 'request' : 'call';
    return { kind, id: `${prefix.toLowerCase()}_${rest.toUpperCase()}` };
  });
  return found.find(({ kind }) => kind === 'request') ?? found[0] ?? null;
}
