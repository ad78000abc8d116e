import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../platform/errors.ts';
import { Slices } from '../../platform/turns/slices.ts';
import { requireFewValues } from './few-values.ts';
import type { KeptBodies } from './kept-bodies.ts';
import { type BodyReceiver, LARGE_BODY_BYTES, type Receiving } from './receive-body.ts';

export interface ReadingOptions {
  readonly limitBytes: number;
  /** The account of who calls; null for callers without one, who are told apart by their address. */
  readonly accountOf: (caller: unknown) => string | null;
  readonly partyOf: PartyOf;
  readonly kept: KeptBodies;
  /** Throws when nothing can be taken in now. */
  readonly requireReadiness?: () => void;
}

/** Reads JSON bodies. */
export class BodyReader {
  readonly #receiver: BodyReceiver;
  readonly #options: ReadingOptions;

  constructor(receiver: BodyReceiver, options: ReadingOptions) {
    this.#receiver = receiver;
    this.#options = options;
  }

  /** The parsed body. Throws 400 for another content type, encoding or malformed JSON, and as the receiver does. */
  async read(req: IncomingMessage, res: ServerResponse, caller: unknown): Promise<unknown> {
    const { limitBytes, accountOf, partyOf, kept, requireReadiness } = this.#options;
    requireReadiness?.();
    checkHeaders(req);
    const party = partyOf(req, accountOf(caller));
    return this.#receiver.receive(req, { party, limitBytes }, (bytes) => {
      kept.keep(res, party, bytes.length);
      return bytes.length > LARGE_BODY_BYTES ? parseInTurns(bytes) : parseJson(bytes);
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

/** Of a large body, with turns for others between what is done with all of its bytes. */
async function parseInTurns(bytes: Buffer): Promise<unknown> {
  const slices = new Slices();
  requireFewValues(bytes);
  await slices.next();
  const text = bytes.toString('utf8');
  await slices.next();
  return parseText(text);
}

function parseJson(bytes: Buffer): unknown {
  requireFewValues(bytes);
  return parseText(bytes.toString('utf8'));
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', 'The body is not valid JSON.');
  }
}
