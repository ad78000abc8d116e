import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { withCode } from './with-code.ts';

/** Most bytes and tokens of a document: it is refused before it is parsed, or while it is. Comments are no tokens, but bytes. */
const MOST_DOCUMENT_BYTES = 16_384;
export const MOST_TOKENS = 2000;
const PARSE_FAILED = 'GRAPHQL_PARSE_FAILED';

/** The error for a document that is too long to be parsed; null for any other. */
export function tooLong(text: string): GraphQLError | null {
  if (text.length <= MOST_DOCUMENT_BYTES && Buffer.byteLength(text) <= MOST_DOCUMENT_BYTES) return null;
  const message = `The document is too long: at most ${MOST_DOCUMENT_BYTES} bytes. Send values as variables.`;
  return new GraphQLError(message, { extensions: { code: PARSE_FAILED } });
}

/** Parses a document, with positions for errors to show. An error for a text that does not parse. */
export function readDocument(text: string): DocumentNode | GraphQLError {
  const refusal = tooLong(text);
  if (refusal) return refusal;
  try {
    return parse(text, { maxTokens: MOST_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) return withCode(error, PARSE_FAILED);
    throw error;
  }
}

/**
 * Parses a document that was parsed before, for an operation that lasts: without positions, and copied, because names that the
 * parser cuts out of a text keep the whole text (comments too) in memory.
 */
export function lastingDocument(text: string): DocumentNode {
  return JSON.parse(JSON.stringify(parse(text, { noLocation: true }))) as DocumentNode; // its own copy
}
