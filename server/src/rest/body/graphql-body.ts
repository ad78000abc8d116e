import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { RequestHandler, Response } from 'express';
import { AppError } from '../../platform/errors.ts';
import { Slices } from '../../platform/turns/slices.ts';
import { requireFewValues } from './few-values.ts';
import type { KeptBodies } from './kept-bodies.ts';
import { largeJson } from './large-json.ts';
import type { PartyOf } from './read-body.ts';
import { type BodyReceiver, LARGE_BODY_BYTES } from './receive-body.ts';

export interface GraphqlBodyOptions {
  readonly limitBytes: number;
  /** The account of the caller, who has been identified by now; null without one. */
  readonly accountOf: (res: Response) => string | null;
  readonly partyOf: PartyOf;
  readonly kept: KeptBodies;
  /** Throws where no document can be taken in now. */
  readonly requireReadiness: () => void;
  /** Identifies the caller once more, after a body that was late. Throws where the call is not allowed any more. */
  readonly renew: (req: IncomingMessage, res: Response) => Promise<void>;
}

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const UNPACKERS = new Map<string, Unpack>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/**
 * Most bytes of a body that is taken for a question, not a document: questions are let in while memory is short, because somebody
 * may want to ask why.
 */
const QUESTION_BYTES = 64 * 1024;

/** Reads the body of a GraphQL call into `req.body`, as Express's parser would, but through the receiver. */
export function graphqlBody(receiver: BodyReceiver, options: GraphqlBodyOptions): RequestHandler {
  return async (req, res, next) => {
    req.body = undefined;
    const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    const length = Number(req.headers['content-length'] ?? Number.NaN);
    const hasBody = length > 0 || req.headers['transfer-encoding'] !== undefined;
    if (!hasBody) return next();
    if (!(length <= QUESTION_BYTES)) options.requireReadiness();
    const { limitBytes, accountOf, partyOf, kept, renew } = options;
    const party = partyOf(req, accountOf(res));
    // A body that is no JSON is read all the same: it is refused next, and its rest would stand before the next call.
    const keep = (bytes: number) => kept.keep(res, party, bytes);
    const read = type === 'application/json' ? jsonReader(req, limitBytes, keep) : () => undefined;
    req.body = await receiver.receive(req, { party, limitBytes, onLate: () => renew(req, res) }, (bytes) => {
      keep(bytes.length);
      return read(bytes);
    });
    next();
  };
}

/** Makes the reader of a JSON body. What a compressed body takes beyond its own bytes is counted, too. */
function jsonReader(
  req: IncomingMessage,
  limitBytes: number,
  keep: (bytes: number) => void,
): (bytes: Buffer) => Promise<unknown> {
  const decoder = decoderOf(req);
  const unpack = unpackerOf(req);
  return async (bytes) => {
    const plain = unpack ? await unpacked(unpack, bytes, limitBytes) : bytes;
    if (plain.length > bytes.length) keep(plain.length - bytes.length);
    const slices = new Slices();
    await slices.run(requireFewValues(plain));
    const isLarge = plain.length > LARGE_BODY_BYTES && decoder.encoding === 'utf-8';
    return parse(() => (isLarge ? slices.run(largeJson(withoutMark(plain))) : textValue(decoder.decode(plain))));
  };
}

async function unpacked(unpack: Unpack, bytes: Buffer, limitBytes: number): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: limitBytes });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (tooLarge) throw new AppError('payload_too_large', 'The body is too large.');
    throw unreadable('its encoding is broken');
  }
}

async function parse(read: () => unknown): Promise<unknown> {
  try {
    const value = await read();
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw unreadable('it is not valid JSON');
}

function textValue(text: string): unknown {
  return text.trim() === '' ? {} : JSON.parse(text);
}

/** The bytes without a byte order mark, which is not part of the text. */
function withoutMark(utf8: Buffer): Buffer {
  return utf8.indexOf(BYTE_ORDER_MARK) === 0 ? utf8.subarray(BYTE_ORDER_MARK.length) : utf8;
}

function decoderOf(req: IncomingMessage): InstanceType<typeof TextDecoder> {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(req.headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  try {
    if (charset.startsWith('utf-')) return new TextDecoder(charset);
  } catch {}
  throw unreadable(`unsupported charset "${charset.slice(0, 40)}"`);
}

function unpackerOf(req: IncomingMessage): Unpack | null {
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return null;
  const unpack = UNPACKERS.get(encoding);
  if (!unpack) throw unreadable(`unsupported content encoding "${encoding.slice(0, 40)}"`);
  return unpack;
}

function unreadable(why: string): AppError {
  return new AppError('invalid_request', `The request could not be read: ${why}.`);
}
