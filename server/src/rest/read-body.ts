import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';

/** 10 MB of raw body. */
const BODY_LIMIT = 10_485_760;
/** How much of a body that is too large is read away so that the client can see the answer. */
const DRAIN_LIMIT = 4 * BODY_LIMIT;

/**
 * Large bodies that are read and parsed at once, in bytes: a parsed body takes about three times its size, so they
 * come in one after another instead of all together. Small ones never wait.
 */
const LARGE = 1_000_000;
const LARGE_AT_ONCE = 2;

/** Reads JSON bodies within the limit. */
export class BodyReader {
  #reading = 0;
  readonly #queue: (() => void)[] = [];

  /** The parsed body. Throws 400 for another content type, encoding or malformed JSON, 413 above the limit. */
  async read(req: IncomingMessage): Promise<unknown> {
    checkHeaders(req);
    const announced = Number(req.headers['content-length'] ?? Number.NaN);
    if (announced > BODY_LIMIT) {
      drain(req);
      throw tooLarge();
    }
    if (announced <= LARGE) return parseJson(await collect(req, announced));
    await this.#enter();
    try {
      return parseJson(await collect(req, announced));
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#reading >= LARGE_AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#reading++;
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#reading--;
  }
}

function checkHeaders(req: IncomingMessage): void {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    req.resume();
    throw new AppError('invalid_request', 'Send the body as JSON with `Content-Type: application/json`.');
  }
  const encoding = req.headers['content-encoding'];
  if (encoding && encoding !== 'identity') {
    req.resume();
    throw new AppError('invalid_request', 'Content-Encoding is not supported: send the JSON body as it is.');
  }
}

function collect(req: IncomingMessage, announced: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // With its length announced a body goes straight into its place; only chunked ones are pieced together.
    const whole = Number.isSafeInteger(announced) && announced >= 0 ? Buffer.allocUnsafe(announced) : null;
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      if (whole) chunk.copy(whole, size);
      else if (size + chunk.length <= BODY_LIMIT) chunks.push(chunk);
      size += chunk.length;
      if (size <= BODY_LIMIT) return;
      req.removeAllListeners('data');
      drain(req);
      reject(tooLarge());
    });
    req.on('end', () => resolve(whole ?? Buffer.concat(chunks)));
    req.on('aborted', () => reject(new AppError('invalid_request', 'The body ended before it was complete.')));
    req.on('error', () => reject(new AppError('invalid_request', 'The body could not be read.')));
  });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('invalid_request', 'The body is not valid JSON.');
  }
}

function drain(req: IncomingMessage): void {
  let drained = 0;
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_LIMIT) req.destroy();
  });
  req.resume();
}

function tooLarge(): AppError {
  return new AppError(
    'payload_too_large',
    'The body is larger than 10 MB (10,485,760 bytes), which is about 7.8 MB of file as base64. Send larger files as a URL.',
  );
}
