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

export interface ReadingOptions<Caller> {
  readonly limitBytes: number;
  /** The account of the caller; null for callers without one, who are told apart by address. */
  readonly accountOf: (caller: Caller) => string | null;
  readonly partyOf: PartyOf;
  readonly kept: KeptBodies;
  /** Throws where nothing can be taken in now. */
  readonly requireReadiness?: () => void;
}

/** The sender of a body, with `onLate` as the receiver takes it. */
export interface Sender<Caller> extends Pick<Receiving, 'onLate'> {
  readonly caller: Caller;
}

/** The value of a JSON body. Its long documents stand apart. */
export interface ReadBody {
  readonly value: unknown;
  readonly documents: SentDocuments | null;
}

/** Least bytes of a body whose documents are worth decoding in place. */
const DOCUMENT_BYTES = 64 * 1024;

/** Reads JSON bodies. */
export class BodyReader<Caller> {
  readonly #receiver: BodyReceiver;
  readonly #options: ReadingOptions<Caller>;

  constructor(receiver: BodyReceiver, options: ReadingOptions<Caller>) {
    this.#receiver = receiver;
    this.#options = options;
  }

  /** Reads a JSON body. Throws 400 for another content type, an encoding or malformed JSON, and what the receiver throws. */
  async read(req: IncomingMessage, res: ServerResponse, { caller, onLate }: Sender<Caller>): Promise<ReadBody> {
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

/** Receives a body as bytes, whatever its type. Throws 400 for a content encoding, and what the receiver throws. */
export function receiveFile(receiver: BodyReceiver, req: IncomingMessage, receiving: Receiving): Promise<Buffer> {
  requireNoEncoding(req);
  return receiver.receive(req, receiving, (bytes) => bytes);
}

/** The party that a body is counted for: the account, or the address of a caller without one. */
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

/** Parses a large body. Its memory is given back at once where no document stays in it. */
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

/**
 * Parses a large body. Apart from documents no text of the contract is long: of a long text the beginning is kept, by which it is
 * refused just as well.
 */
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
