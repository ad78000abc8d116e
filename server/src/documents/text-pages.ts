import { AppError } from '../platform/errors.ts';
import type { Documents } from './documents.ts';
import type { DocumentClient } from './limits/document-client.ts';
import { TimeLimit } from './limits/time-limit.ts';

/** How long the text of a long PDF is looked for while its sender waits: milliseconds of the processor. */
const LOOKING_MS = 6000;
/** Most pages of a PDF whose pages with text are counted. */
const MOST_COUNTED = 500;
/** Pages that are looked at in one go. */
const PAGES_AT_ONCE = 20;

type Texts = Pick<Documents, 'text'>;

/**
 * Whether a PDF has pictures of text, and no page with a text layer. Stops at the first page with one; before a request is
 * accepted also when the time is over, and judges by the pages seen so far.
 */
export async function isImageOnly(
  documents: Texts,
  bytes: Buffer,
  pages: number,
  client: DocumentClient = {},
): Promise<boolean> {
  let scanned = false;
  using limit = lookingTime();
  for (const part of parts(pages)) {
    if (client.opening && limit.signal.aborted) break;
    const kinds = (await documents.text(bytes, part, client)).map(({ kind }) => kind);
    if (kinds.includes('text')) return false;
    scanned ||= kinds.includes('scanned');
  }
  return scanned;
}

/**
 * The number of pages of a PDF that have text of their own, and the pages that are pictures of text. Null for a PDF of more
 * than 500 pages, and where it takes too long to find out.
 */
export async function countText(
  documents: Texts,
  bytes: Buffer,
  pages: number,
  client: DocumentClient,
): Promise<{ own: number; scanned: readonly number[] } | null> {
  if (pages > MOST_COUNTED) return null;
  let own = 0;
  const scanned: number[] = [];
  using limit = lookingTime();
  for (const part of parts(pages)) {
    if (limit.signal.aborted) return null;
    const kinds = await kindsInTime(documents, bytes, part, client);
    if (!kinds) return null;
    own += kinds.filter((kind) => kind === 'text').length;
    scanned.push(...part.filter((_, index) => kinds[index] === 'scanned'));
  }
  return { own, scanned };
}

/** The kinds of pages; null where they take too long: an estimate goes without, and its account is not held to it. */
async function kindsInTime(documents: Texts, bytes: Buffer, pages: readonly number[], client: DocumentClient) {
  try {
    return (await documents.text(bytes, pages, { ...client, opening: false })).map(({ kind }) => kind);
  } catch (error) {
    client.signal?.throwIfAborted();
    if (error instanceof AppError && error.code === 'unprocessable_entity') return null;
    throw error;
  }
}

function lookingTime(): TimeLimit {
  return new TimeLimit({ processorMs: LOOKING_MS, clockMs: LOOKING_MS * 3 });
}

/** The pages of a document, some at a time. */
function* parts(pages: number): Generator<number[]> {
  for (let first = 1; first <= pages; first += PAGES_AT_ONCE) {
    yield Array.from({ length: Math.min(PAGES_AT_ONCE, pages - first + 1) }, (_, i) => first + i);
  }
}
