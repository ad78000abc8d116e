import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../platform/errors.ts';
import { giveBack } from '../../platform/memory/give-back.ts';
import { atOnce, Slices } from '../../platform/turns/slices.ts';
import { documentsInPlace } from './documents-in-place.ts';
import { requireFewValues } from './few-values.ts';
import type { KeptBodies } from './kept-bodies.ts';
import { beginningOfText, filled, outlineOf } from './large-json.ts';
import type { BodyReceiver, Receiving } from './receive-body.ts';
import type { SentDocuments } from './sent-documents.ts';

export interface ReadingOptions {
  readonly limitBytes: number;
  /** The account of who calls; null for callers without one, who are told apart by their address. */
  readonly accountOf: (caller: unknown) => string | null;
  readonly partyOf: PartyOf;
  readonly kept: KeptBodies;
  /** Throws when nothing can be taken in now. */
  readonly requireReadiness?: () => void;
}

/** Who sends a body; `onLate` as the receiver has it. */
export interface Sender extends Pick<Receiving, 'onLate'> {
  readonly caller: unknown;
}

/** A body as JSON; its long documents apart. */
export interface ReadBody {
  readonly value: unknown;
  readonly documents: SentDocuments | null;
}

/** A body of so many bytes may have a document that is worth decoding where it stands. */
const DOCUMENT_BYTES = 64 * 1024;

/** Reads JSON bodies. */
export class BodyReader {
  readonly #receiver: BodyReceiver;
  readonly #options: ReadingOptions;

  constructor(receiver: BodyReceiver, options: ReadingOptions) {
    this.#receiver = receiver;
    this.#options = options;
  }

  /** Throws 400 for another content type, encoding or malformed JSON, and as the receiver does. */
  async read(req: IncomingMessage, res: ServerResponse, { caller, onLate }: Sender): Promise<ReadBody> {
    const { limitBytes, accountOf, partyOf, kept, requireReadiness } = this.#options;
    requireReadiness?.();
    checkHeaders(req);
    const party = partyOf(req, accountOf(caller));
    return this.#receiver.receive(req, { party, limitBytes, onLate }, (bytes) => {
      kept.keep(res, party, bytes.length);
      if (bytes.length < DOCUMENT_BYTES) return { value: atOnce(parsedSmall(bytes)), documents: null };
      return readLarge(bytes);
    });
  }
}

/** The body as it is, whatever its type says. Throws 400 for an encoding, and as the receiver does. */
export function receiveFile(receiver: BodyReceiver, req: IncomingMessage, receiving: Receiving): Promise<Buffer> {
  requireNoEncoding(req);
  return receiver.receive(req, receiving, (bytes) => bytes);
}

/** Who a body is counted for: the account, or the address of who has none. */
export type PartyOf = (req: IncomingMessage, accountId: string | null) => string;

function checkHeaders(req: IncomingMessage): void {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new AppError('invalid_request', 'Send the body as JSON with `Content-Type: application/json`.');
  }
  requireNoEncoding(req);
}

function requireNoEncoding(req: IncomingMessage): void {
  const encoding = req.headers['content-encoding'];
  if (encoding && encoding !== 'identity') {
    throw new AppError('invalid_request', 'Content-Encoding is not supported: send the body as it is.');
  }
}

/** Memory that no document of its stands in is given back at once. */
async function readLarge(bytes: Buffer): Promise<ReadBody> {
  let isKept = false;
  try {
    const body = await new Slices().run(parsed(bytes));
    isKept = body.documents?.isEmpty === false;
    return body;
  } finally {
    if (!isKept) giveBack(bytes);
  }
}

/** But for a document no text of the contract is long: what is too long is refused by its beginning, as all of it would be. */
function* parsed(bytes: Buffer): Generator<void, ReadBody> {
  yield* requireFewValues(bytes);
  try {
    const outline = yield* outlineOf(bytes);
    const documents = yield* documentsInPlace(outline, bytes);
    return { value: yield* filled(outline, bytes, beginningOfText), documents };
  } catch {
    throw notJson();
  }
}

function* parsedSmall(bytes: Buffer): Generator<void, unknown> {
  yield* requireFewValues(bytes);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw notJson();
  }
}

function notJson(): AppError {
  return new AppError('invalid_request', 'The body is not valid JSON.');
}
