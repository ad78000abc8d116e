import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { withCode } from './with-code.ts';

/** Most bytes and tokens of a document: it is refused before it is parsed, or while it is. Comments are no tokens, but bytes. */
const MOST_DOCUMENT_BYTES = 16_384;
export const MOST_TOKENS = 2000;
/** Most levels of brackets: the parser, which goes into each of them, has no limit of its own. Operations have some twenty at most. */
const MOST_LEVELS = 200;
const PARSE_FAILED = 'GRAPHQL_PARSE_FAILED';

/** The error for a document that is too long, or nested too deep, to be parsed; null for any other. */
export function tooLarge(text: string): GraphQLError | null {
  if (text.length > MOST_DOCUMENT_BYTES || Buffer.byteLength(text) > MOST_DOCUMENT_BYTES) {
    return refusal(`The document is too long: at most ${MOST_DOCUMENT_BYTES} bytes. Send values as variables.`);
  }
  return depthOf(text) > MOST_LEVELS ? refusal(`The document is nested more than ${MOST_LEVELS} levels deep.`) : null;
}

function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: PARSE_FAILED } });
}

/** How deep brackets stand in brackets. Those in texts are counted, too. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(bracket)) deepest = Math.max(deepest, ++depth);
    else depth--;
  }
  return deepest;
}

/** Parses a document, with positions for errors to show. An error for a text that does not parse. */
export function readDocument(text: string): DocumentNode | GraphQLError {
  const fault = tooLarge(text);
  if (fault) return fault;
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
