import type { Caller } from '../accounts/caller.ts';
import { reserve } from '../billing/pricing.ts';
import { toUsd } from '../database/money.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import type { News } from '../dispatch/news.ts';
import type { Documents } from '../documents/documents.ts';
import { sniff } from '../documents/sniff.ts';
import type { DocumentStore } from '../documents/store.ts';
import type { Availability } from '../engines/availability.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { AppError } from '../errors.ts';
import { faultPoint } from '../fault.ts';
import { newId } from '../ids.ts';
import type { AcceptanceDesk } from './acceptance.ts';
import { type Understood, understand } from './effective.ts';
import { fingerprint } from './fingerprint.ts';
import { jobIdFor } from './large-job.ts';
import type { RequestLookup } from './lookup.ts';
import { newsOf } from './news-of.ts';
import type { OcrRequestInput } from './ocr-request.input.ts';
import { OcrRequest } from './ocr-request.ts';
import { openDocument } from './open-document.ts';
import type { Pressure } from './pressure.ts';
import type { OpenDocument } from './read-pages.ts';
import { handsScansOn } from './read-request.ts';
import { settledFromError } from './settled-from.ts';
import type { SettlementDesk } from './settlement.ts';
import type { Waiting } from './waiting.ts';
import type { Worker } from './worker.ts';

export interface Submission {
  readonly input: OcrRequestInput;
  /** Null in a batch: nothing is repeated then. */
  readonly idempotencyKey: string | null;
  /** Names of body fields that nobody knows. */
  readonly unknownFields: readonly string[];
  /** Told the id of the request that answers, before its outcome is there. */
  readonly onRequest?: (requestId: string) => void;
}

export interface SubmissionsDeps {
  readonly catalogue: Catalogue;
  readonly availability: Availability;
  readonly documents: Documents;
  readonly store: DocumentStore;
  readonly acceptance: AcceptanceDesk;
  readonly settlement: SettlementDesk;
  readonly lookup: RequestLookup;
  readonly waiting: Waiting;
  readonly dispatch: Dispatch;
  readonly news: News;
  /** Places in this process; none where only others work. */
  readonly places: Pick<Worker, 'reserve'>;
  readonly pressure: Pressure;
  readonly allowPrivateCidrs: readonly string[];
  readonly syncLimitMs: number;
}

/** Formats whose opening costs so much that a key that is bound already is looked up first. */
const COSTLY_FORMATS = new Set(['pdf', 'tiff', 'gif', 'webp']);
const POLL_MS = 1000;

/** Accepts documents, and waits for them as long as a synchronous caller does. */
export class Submissions {
  readonly #deps: SubmissionsDeps;

  constructor(deps: SubmissionsDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with the request at its outcome, an asynchronous one once it is accepted; throws the error that the caller
   * gets instead.
   */
  async submit(caller: Caller, submission: Submission): Promise<OcrRequest> {
    const understood = understand(submission.input, submission.unknownFields, this.#deps);
    if (understood.effective.mode === 'async') requireHistory(caller);
    submission.input.input.dataBase64 = undefined; // decoded: the text need not stay in memory
    const print = fingerprint(understood.effective, understood.bytes);
    const key = submission.idempotencyKey;
    const { document, known } = await this.#open(caller, key, understood);
    if (known) return this.#repeat(known, { print, bytes: understood.bytes, onRequest: submission.onRequest });
    const request = this.#draft(caller, key, print, understood, document);
    if (document) {
      request.jobId = await jobIdFor(this.#deps.documents, request, { document, engine: understood.engine });
    }
    return this.#accept(request, understood, document, submission.onRequest);
  }

  /**
   * Opens the document for an engine that takes requests, or finds that the key is bound: then neither what was sent
   * now nor the state of the engine matters.
   */
  async #open(
    caller: Caller,
    key: string | null,
    understood: Understood,
  ): Promise<{ document: OpenDocument | null; known: OcrRequest | null }> {
    const { availability, documents, lookup } = this.#deps;
    const { bytes, effective, engine, fallbackEngine } = understood;
    const byKey = async () => (key === null ? null : lookup.byKey(caller.accountId, key));
    if (bytes && COSTLY_FORMATS.has(sniff(bytes) ?? '')) {
      const known = await byKey();
      if (known) return { document: null, known };
    }
    try {
      availability.require(engine);
      if (fallbackEngine) availability.require(fallbackEngine);
      const document = bytes ? await openDocument(documents, bytes, { effective, engine }) : null;
      return { document, known: null };
    } catch (error) {
      const known = await byKey();
      if (known) return { document: null, known };
      throw error;
    }
  }

  #draft(
    caller: Caller,
    key: string | null,
    print: string,
    understood: Understood,
    document: OpenDocument | null,
  ): OcrRequest {
    const request = new OcrRequest();
    request.id = newId('ocr_');
    request.accountId = caller.accountId;
    request.keyId = caller.keyId;
    request.idempotencyKey = key;
    request.fingerprint = print;
    request.requestedEngine = understood.engine.id;
    request.engine = understood.engine.id;
    request.mode = understood.effective.mode;
    request.effective = understood.effective;
    request.notes = [...understood.warnings];
    request.pagesTotal = document?.inspection.pages ?? null;
    return request;
  }

  async #accept(
    request: OcrRequest,
    understood: Understood,
    document: OpenDocument | null,
    onRequest: Submission['onRequest'],
  ): Promise<OcrRequest> {
    const { acceptance, places, lookup } = this.#deps;
    const { engine, effective, fallbackEngine, pages, bytes } = understood;
    const scans = handsScansOn(engine) && effective.scannedHandling === 'fallback' ? fallbackEngine : null;
    const own = reserve(engine, pages);
    const other = scans ? reserve(scans, pages) : 0n;
    const hold = other > own ? other : own; // Math.max takes no bigint
    const place = places.reserve(engine);
    if (!place) this.#deps.pressure.requireRoom();
    try {
      const tokenPriced = [engine, scans].some((one) => one?.tokenPrices);
      const starts = place !== null;
      const stored = starts && request.mode === 'sync' ? null : bytes;
      const answer = await acceptance.accept({ request, hold, bytes: stored, tokenPriced, starts });
      if (answer.kind === 'refused') throw insufficient(answer.reason, hold, answer.available);
      if (answer.kind === 'known') {
        const known = await lookup.byId(answer.requestId);
        if (!known) throw new Error(`request ${answer.requestId} is gone`);
        return await this.#repeat(known, { print: request.fingerprint ?? '', bytes, onRequest });
      }
      faultPoint('accepted');
      onRequest?.(request.id);
      const begin = () => this.#begin(request, document, place);
      if (request.mode === 'async') return accepted(request, begin);
      return await this.#wait(request, begin);
    } finally {
      place?.release();
    }
  }

  #begin(request: OcrRequest, document: OpenDocument | null, place: ReturnType<Worker['reserve']>): void {
    request.outcome = 'processing';
    if (!place) {
      request.status = 'queued';
      this.#deps.news.tell(() => newsOf(request));
      this.#deps.dispatch.announce({ engineId: request.requestedEngine, id: `${request.id}:0` });
      return;
    }
    request.status = 'processing';
    request.fence = 1;
    request.starts = 1;
    request.startedAt = new Date();
    place.start({ request, document, isStored: request.mode === 'async' });
  }

  /** The same key again: the outcome it had, or will have. Another effective request under it is refused. */
  async #repeat(
    known: OcrRequest,
    { print, bytes, onRequest }: { print: string; bytes: Buffer | null; onRequest: Submission['onRequest'] },
  ): Promise<OcrRequest> {
    if (known.fingerprint !== null && known.fingerprint !== print) {
      throw new AppError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for a different request. Send a new key for a new request.',
      );
    }
    onRequest?.(known.id);
    // The process that has the document in its memory may be gone: the next one then finds it.
    if (bytes && !known.isFinished) await this.#deps.store.keep(known.id, bytes);
    const ended = known.isFinished || known.mode === 'async' ? known : await this.#wait(known);
    ended.replayed = known.isFinished || known.mode === 'async';
    if (known.isFinished) noteMissingText(ended);
    return ended;
  }

  /** Waits for the end: told by this process, or seen in the database when another process has the work. */
  async #wait(request: OcrRequest, begin?: () => void): Promise<OcrRequest> {
    const { waiting, syncLimitMs } = this.#deps;
    const deadline = request.createdAt.getTime() + syncLimitMs;
    const told = new AbortController();
    const ending = waiting.until(request.id, told.signal);
    begin?.();
    const timer = setTimeout(() => told.abort(), Math.max(0, deadline + GRACE_MS - Date.now()));
    const watch = setInterval(() => void this.#look(request).catch(() => undefined), POLL_MS);
    const expiry = setTimeout(
      () => void this.#expireQueued(request.id).catch(() => undefined),
      Math.max(0, deadline - Date.now()),
    );
    try {
      const ended = (await ending) ?? (await this.#deps.lookup.byId(request.id)) ?? request;
      if (ended.isFinished && ended.errorCode) throw errorOf(ended);
      return ended;
    } finally {
      clearTimeout(timer);
      clearTimeout(expiry);
      clearInterval(watch);
    }
  }

  /** What the database says: the work may have ended elsewhere, or a crash may have taken the acceptance back. */
  async #look(request: OcrRequest): Promise<void> {
    const seen = (await this.#deps.lookup.byId(request.id)) ?? takenBack(request);
    if (seen.isFinished) this.#deps.waiting.resolve(seen);
  }

  /** A synchronous request that is still queued when its time is over never reaches an engine. */
  async #expireQueued(id: string): Promise<void> {
    const { lookup, settlement, waiting, news } = this.#deps;
    const seen = await lookup.byId(id);
    if (seen?.status !== 'queued' || seen.mode !== 'sync') return;
    const error = new AppError(
      'engine_unavailable',
      'The engine was busy for the whole time of the request; it was not reached.',
    );
    const answer = await settlement.settle(seen.id, seen.fence, settledFromError(seen, error));
    if (answer === 'lost') return;
    const ended = await lookup.byId(id);
    if (!ended) return;
    waiting.resolve(ended);
    news.tell(() => newsOf(ended));
  }
}

/** What the holder of the lease gets to write its end after the time is over. */
const GRACE_MS = 5000;

/** The result of an asynchronous request can only be read where it is kept. */
function requireHistory(caller: Caller): void {
  if (caller.history) return;
  throw new AppError('history_disabled', 'mode: `async` needs OCR history, which is off for this account.');
}

/** What the caller is told: the request as it was accepted, whatever the work does to it meanwhile. */
function accepted(request: OcrRequest, begin: () => void): OcrRequest {
  begin();
  return Object.assign(new OcrRequest(), request);
}

function takenBack(request: OcrRequest): OcrRequest {
  const error = new AppError('internal_error', 'The request was lost in a crash of the database. Nothing was charged.');
  const { status, outcome, errorCode, providerError } = settledFromError(request, error);
  return Object.assign(new OcrRequest(), request, { status, outcome, errorCode, providerError });
}

function insufficient(reason: 'balance' | 'owed', hold: bigint, available: bigint): AppError {
  if (reason === 'owed') {
    return new AppError(
      'insufficient_balance',
      'An amount is owed; token-priced engines are blocked until a top-up covers it.',
    );
  }
  return new AppError(
    'insufficient_balance',
    `The request needs ${toUsd(hold)} USD and ${toUsd(available)} USD are available. Add credit, then send it again.`,
  );
}

/** The error of a request whose key is free again. */
function errorOf(request: OcrRequest): AppError {
  const code = request.errorCode ?? 'internal_error';
  const retry = code === 'engine_unavailable' ? { retryAfterSeconds: 10 } : {};
  return new AppError(code, request.providerError ?? 'The request could not be processed.', retry);
}

/** A success that is repeated without its text says why. */
function noteMissingText(request: OcrRequest): void {
  if (request.status !== 'succeeded' || request.textRetained) return;
  request.text = null;
  request.warning = 'The text of this result was not retained: OCR history is or was off.';
}
