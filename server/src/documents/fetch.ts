import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, type Dispatcher, request } from 'undici';
import { assertPublicUrl, guardedAgent, isPrivateAddress, notPublic } from '../platform/egress/egress.ts';
import { fewInterimAnswers } from '../platform/egress/interim-answers.ts';
import { AppError } from '../platform/errors.ts';
import { GrowingBuffer } from '../platform/memory/growing-buffer.ts';
import { Slices } from '../platform/turns/slices.ts';
import { unreadable } from './formats/unreadable.ts';

export interface FetchLimits {
  readonly totalMs: number;
  readonly headersMs: number;
  /** Longest time without a single byte. */
  readonly silenceMs: number;
  /** Milliseconds after which the document has to have come at `bytesPerSecond` on average. */
  readonly patienceMs: number;
  readonly bytesPerSecond: number;
  /**
   * Pieces that may be of any size. With more, they must have `leastPieceBytes` on average: each piece has a cost, whatever its
   * size.
   */
  readonly freePieces: number;
  readonly leastPieceBytes: number;
  /** Milliseconds by which the refusal of such a document is delayed: an attacker's next one waits for it. */
  readonly piecesRestMs: number;
}

export interface FetcherOptions {
  readonly maxBytes: number;
  /** Networks that may be called although they are not public. */
  readonly allowCidrs: readonly string[];
  readonly lookup?: LookupFunction;
  readonly limits?: Partial<FetchLimits>;
}

const LIMITS: FetchLimits = {
  totalMs: 60_000,
  headersMs: 10_000,
  silenceMs: 10_000,
  patienceMs: 5_000,
  bytesPerSecond: 10_000,
  freePieces: 512,
  leastPieceBytes: 16,
  piecesRestMs: 1000,
};
/** Pieces after which others have their turn: one read of a socket may bring ten thousand. */
const PIECES_A_TURN = 256;
/** Bytes of small pieces that are taken out of such a read meanwhile. */
const READ_AHEAD = 512;
const REDIRECTS = 3;
const REDIRECT_STATUS = [301, 302, 303, 307, 308];
const HEADERS = {
  accept: 'application/pdf, image/*, */*;q=0.5',
  // Asks for no compression: the bytes on the wire are then those of the document.
  'accept-encoding': 'identity',
  'user-agent': 'ocr-router',
};

/** Thrown for a document in such small pieces as no server sends. */
class TinyPieces extends Error {}

/** Fetches documents from public URLs: none from inside this network, none without end, and never with credentials. */
export class DocumentFetcher implements AsyncDisposable {
  readonly #maxBytes: number;
  readonly #allowCidrs: readonly string[];
  readonly #limits: FetchLimits;
  readonly #agent: Agent;

  constructor({ maxBytes, allowCidrs, lookup, limits }: FetcherOptions) {
    this.#maxBytes = maxBytes;
    this.#allowCidrs = allowCidrs;
    this.#limits = { ...LIMITS, ...limits };
    this.#agent = guardedAgent({ allowCidrs, ...(lookup && { lookup }) });
  }

  /**
   * Fetches the document. Throws `invalid_request` for a URL (or a redirect) that is not allowed, and `unprocessable_entity`
   * where no document comes, with one text for all causes: what answers behind an address must not be explored by them. (Only
   * that a name means a private address is told: docs/security.md.)
   */
  async fetch(url: string, signal?: AbortSignal, totalMs = this.#limits.totalMs): Promise<Buffer> {
    const late = AbortSignal.timeout(totalMs);
    const ended = signal ? AbortSignal.any([signal, late]) : late;
    try {
      return await this.#follow(url, ended);
    } catch (error) {
      if (error instanceof TinyPieces)
        await sleep(this.#limits.piecesRestMs, undefined, { signal: ended }).catch(() => undefined);
      signal?.throwIfAborted();
      if (error instanceof AppError) throw error;
      if (isPrivateAddress(error)) throw notPublic('input.url', error);
      throw this.#noDocument(error, totalMs);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  async #follow(url: string, signal: AbortSignal): Promise<Buffer> {
    let target = assertPublicUrl(url, this.#allowCidrs);
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      const response = await request(target, {
        dispatcher: this.#agent,
        headers: HEADERS,
        highWaterMark: READ_AHEAD,
        onInfo: fewInterimAnswers(),
        signal,
        headersTimeout: this.#limits.headersMs,
        bodyTimeout: this.#limits.silenceMs,
      });
      const { location } = response.headers;
      if (!REDIRECT_STATUS.includes(response.statusCode) || typeof location !== 'string') {
        return await this.#readBody(response);
      }
      abandon(response.body);
      if (!URL.canParse(location, target.href)) throw new Error('redirect to what is no URL');
      target = assertPublicUrl(new URL(location, target).href, this.#allowCidrs);
    }
    throw new Error(`more than ${REDIRECTS} redirects`);
  }

  async #readBody({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Buffer> {
    const refusal = this.#refusal(statusCode, headers);
    if (refusal) {
      abandon(body);
      throw new Error(refusal);
    }
    const pieces = new GrowingBuffer();
    const started = performance.now();
    return new Promise((resolve, reject) => {
      // Takes each piece by itself: the stream's own iterator joins those that are there, and hides how many came.
      const take = (piece: Buffer) => {
        pieces.push(piece);
        const fault = this.#faultOf(pieces, performance.now() - started);
        if (fault) giveUp(body.off('data', take), fault);
        else if (pieces.count % PIECES_A_TURN === 0) void restForOthers(body);
      };
      body.on('data', take);
      body.once('end', () => resolve(pieces.copy));
      body.on('error', reject);
      body.once('close', () => reject(new Error('the connection was closed')));
    });
  }

  /** The reason to read no more of the document; null to go on. */
  #faultOf({ size, count }: GrowingBuffer, elapsedMs: number): Error | null {
    const { patienceMs, bytesPerSecond, freePieces, leastPieceBytes } = this.#limits;
    if (size > this.#maxBytes) return new Error(`more than ${this.#maxBytes} bytes`);
    if (elapsedMs > patienceMs && size < (bytesPerSecond * elapsedMs) / 1000) return new Error('too slow');
    return count > freePieces && size < leastPieceBytes * count ? new TinyPieces('pieces of a few bytes') : null;
  }

  #refusal(status: number, headers: Dispatcher.ResponseData['headers']): string | null {
    if (status < 200 || status > 299) return `status ${status}`;
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) return `${headers['content-length']} bytes`;
    const encoding = headers['content-encoding'] ?? 'identity';
    return encoding === 'identity' ? null : `content encoding ${String(encoding)}`;
  }

  #noDocument(cause: unknown, totalMs: number): AppError {
    const megabytes = Math.floor(this.#maxBytes / 2 ** 20);
    const seconds = Math.round(totalMs / 1000);
    return unreadable(
      `input.url: no document could be fetched. It must answer a GET without login with status 2xx, ` +
        `within ${seconds} seconds, and be no larger than ${megabytes} MB.`,
      cause,
    );
  }
}

/** Pauses reading until others have had their turn. */
async function restForOthers(body: Dispatcher.ResponseData['body']): Promise<void> {
  body.pause();
  await new Slices().next();
  body.resume();
}

/** Ends reading, also of what has come already: the parser would hand over all pieces of it. */
function giveUp(body: Dispatcher.ResponseData['body'], fault: Error): void {
  body.pause();
  body.destroy(fault);
}

/** Ends the connection: the rest of such a body may be endless. */
function abandon(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined).destroy();
}
