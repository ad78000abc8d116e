import { type Outline, type TextRange, wholeText } from './large-json.ts';
import { SentDocuments } from './sent-documents.ts';

/**
 * Characters that are decoded in one go (four give three bytes). V8 puts a text of this length into memory that it has already.
 */
const PIECE = 48 * 1024;
const GROUP = { characters: 4, bytes: 3 };
const MOST_ITEMS = 20;
/** Characters of a text that is no base64 that are kept: enough to say so, and whether it is a `data:` URL. */
const BEGINNING = 'data:'.length;

/**
 * Decodes the documents of a call's body in place: their bytes overwrite the base64 in the body's memory, and never become a
 * text. In the outline's value, a placeholder from the result stands for each document. A text that is no base64 is replaced by
 * its first five characters, a text with escapes (line breaks, as a rule) by the whole text. Yields between pieces. Throws as
 * JSON.parse does.
 */
export function* documentsInPlace({ value, texts }: Outline, bytes: Buffer): Generator<void, SentDocuments> {
  const documents = new SentDocuments();
  for (const input of inputsOf(value)) {
    const text = texts.get(input['data_base64']);
    if (text) input['data_base64'] = yield* documentOf(text, bytes, documents);
  }
  return documents;
}

function* documentOf(text: TextRange, bytes: Buffer, documents: SentDocuments): Generator<void, string> {
  if (text.isEscaped) return yield* wholeText(bytes, text);
  const beginning = bytes.toString('latin1', text.start, text.start + BEGINNING);
  const length = yield* decode(bytes, text);
  return length === null ? beginning : documents.keep(bytes.subarray(text.start, text.start + length));
}

/** The `input` objects of the body: of one document, or of the first 20 items of a batch; a larger batch is refused later. */
function inputsOf(body: unknown): Record<string, unknown>[] {
  const { items } = objectOf(body) ?? {};
  const holders = [body, ...(Array.isArray(items) ? items.slice(0, MOST_ITEMS) : [])];
  return holders.map((holder) => objectOf(objectOf(holder)?.['input'])).filter((input) => input !== null);
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

/**
 * Decodes a text in place and returns the number of bytes; null where it is no strict base64: the text has been partly
 * overwritten then, and nobody reads it.
 */
function* decode(bytes: Buffer, { start, end }: TextRange): Generator<void, number | null> {
  let at = start;
  for (let from = start; from < end; from += PIECE) {
    const piece = bytes.toString('latin1', from, Math.min(from + PIECE, end));
    const length = decodedLength(piece, from + PIECE >= end);
    if (length === null || bytes.write(piece, at, 'base64') !== length) return null;
    at += length;
    yield;
  }
  return at - start;
}

/**
 * The bytes that a piece of base64 must decode to; null where it has another length or the URL-safe alphabet, which Node reads,
 * too. Only the last piece may be padded. Characters that Node does not know make the decoded result shorter.
 */
function decodedLength(piece: string, isLast: boolean): number | null {
  if (piece.length % GROUP.characters !== 0 || piece.includes('-') || piece.includes('_')) return null;
  const padding = isLast && piece.endsWith('==') ? 2 : isLast && piece.endsWith('=') ? 1 : 0;
  return (piece.length / GROUP.characters) * GROUP.bytes - padding;
}
