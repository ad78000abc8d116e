import type { ResultMetadata } from '../model/result-metadata.type.ts';

/** How messages begin their quotes. */
const BEFORE = [': ', '“'];

/** What an end says of itself, in sentences. */
interface Said {
  readonly providerError: string | null;
  readonly warnings: readonly string[];
  readonly warning: string | null;
  readonly warningWithoutText?: string;
  readonly metadata: ResultMetadata | null;
}

/** Leaves out of sentences what they quote of an engine or its provider, which may cite the page. */
export type Unquote = <T extends string | null>(sentence: T) => T;

/** Null where nothing is quoted. */
export function unquoteOf(said: readonly { readonly quotes?: readonly string[] }[]): Unquote | null {
  const quotes = [...new Set(said.flatMap((each) => each.quotes ?? []))];
  if (quotes.length === 0) return null;
  const known = quotes
    .toSorted((a, b) => b.length - a.length) // one may be the beginning of another
    .flatMap((quote) => BEFORE.map((before) => ({ said: `${before}${quote}`, left: `${before}…` })));
  const unquote = (sentence: string) =>
    withoutCutQuote(
      known.reduce((text, { said, left }) => text.replaceAll(said, left), sentence),
      quotes,
    );
  return (sentence) => (sentence === null ? sentence : (unquote(sentence) as typeof sentence)); // a string for a string
}

/** Leaves out the beginning of a quote at the end of a sentence that was cut to its bounds. */
function withoutCutQuote(sentence: string, quotes: readonly string[]): string {
  if (!sentence.endsWith('…')) return sentence;
  for (let at = 1; at < sentence.length - 1; at++) {
    const isBegun = BEFORE.some((before) => sentence.endsWith(before, at));
    if (isBegun && quotes.some((quote) => quote.startsWith(sentence.slice(at, -1)))) return `${sentence.slice(0, at)}…`;
  }
  return sentence;
}

/** How many characters of a message stand before its first quote; null where it has none. */
export function quoteAt({ message, quotes }: { message: string | null; quotes: readonly string[] }): number | null {
  if (message === null) return null;
  const places = quotes.flatMap((quote) =>
    BEFORE.flatMap((before) => {
      const place = message.indexOf(`${before}${quote}`);
      return place < 0 ? [] : [place + before.length];
    }),
  );
  return places.length === 0 ? null : [...message.slice(0, Math.min(...places))].length;
}

/** What is kept of a request beside its texts, where these are not kept; nothing where it would be the same. */
export function unkeptParts(said: Said, unquote: Unquote | null): Record<string, unknown> {
  const { providerError, warnings, warning, warningWithoutText = warning, metadata } = said;
  if (!unquote) return said.warningWithoutText === undefined ? {} : { warning_unkept: warningWithoutText };
  return {
    provider_error_unkept: unquote(providerError),
    warnings_unkept: warnings.map(unquote),
    warning_unkept: unquote(warningWithoutText),
    metadata_unkept: metadata && unquotedMetadata(metadata, unquote),
  };
}

function unquotedMetadata({ warnings, fallback, ...more }: ResultMetadata, unquote: Unquote): ResultMetadata {
  return {
    ...more,
    ...(warnings && { warnings: warnings.map(unquote) }),
    ...(fallback && { fallback: { ...fallback, reason: unquote(fallback.reason) } }),
  };
}
