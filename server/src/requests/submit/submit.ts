import type { Caller } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import type { KeyBudgets } from '../../billing/limits/key-budgets.ts';
import { OutageError } from '../../database/outage.ts';
import type { Documents } from '../../documents/documents.ts';
import { sniff } from '../../documents/formats/sniff.ts';
import type { DocumentClient } from '../../documents/limits/document-client.ts';
import type { DocumentStore } from '../../documents/store.ts';
import type { Availability } from '../../engines/availability.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { Dispatch } from '../../platform/messaging/dispatch.ts';
import { annotateSpan, inSpan } from '../../platform/tracing/spans.ts';
import { acceptedPrices } from '../model/accepted-prices.ts';
import { type Understood, understand } from '../model/effective.ts';
import { checkedKey } from '../model/idempotency-key.ts';
import type { OcrRequestInput } from '../model/ocr-request.input.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import { documentHash } from '../read/document-hash.ts';
import { jobIdFor } from '../read/large-job.ts';
import type { OpenDocument } from '../read/open-document.ts';
import { openDocument } from '../read/open-document.ts';
import { databaseIsAway, endUnacknowledged } from '../run/end-unacknowledged.ts';
import { keepDocument } from '../run/keep-document.ts';
import type { Reservation, Worker } from '../run/worker.ts';
import type { Acceptance, AcceptanceStore, Candidate } from '../store/accept.ts';
import { draftRequest } from './draft-request.ts';
import { type Answering, EndWaiter, type EndWaiterDeps } from './end-waiter.ts';
import { fingerprint } from './fingerprint.ts';
import { holdOf, refusalOf, requireFunds, requireWithinCap } from './funds.ts';
import { Placement } from './placement.ts';
import type { Pressure } from './pressure.ts';
import { Replays } from './replays.ts';

export interface Submission {
  readonly input: OcrRequestInput;
  /** Null in a batch: nothing is repeated then. */
  readonly idempotencyKey: string | null;
  /** Names of unknown body fields. */
  readonly unknownFields: readonly string[];
  /** Called with the id of the request that answers, before its outcome is there. */
  readonly onRequest?: ((requestId: string) => void) | undefined;
  readonly sentDocuments?: Context['sentDocuments'] | undefined;
  /** Aborts when the caller leaves: a document is not opened any further then. What is accepted goes on. */
  readonly hangUp?: (() => AbortSignal) | undefined;
}

export interface SubmissionsDeps extends EndWaiterDeps {
  readonly catalogue: Catalogue;
  readonly availability: Availability;
  readonly documents: Documents;
  readonly store: DocumentStore;
  readonly acceptance: AcceptanceStore;
  readonly budgets: Pick<KeyBudgets, 'of'>;
  readonly dispatch: Dispatch;
  /** Places in this process; none where only others work. */
  readonly places: Pick<Worker, 'reserve'>;
  readonly pressure: Pressure;
  readonly allowPrivateCidrs: readonly string[];
  /** How long an end waits for a database that is away. */
  readonly outageLimitMs: number;
  readonly log: Log;
}

/** Formats whose opening costs so much that a key that is bound already is looked up first. */
const COSTLY_FORMATS = new Set(['pdf', 'tiff', 'gif', 'webp']);

/** Accepts documents, and waits for them as long as a synchronous caller does. */
export class Submissions {
  readonly #deps: SubmissionsDeps;
  readonly #ends: EndWaiter;
  readonly #replays: Replays;

  constructor(deps: SubmissionsDeps) {
    this.#deps = deps;
    this.#ends = new EndWaiter(deps);
    this.#replays = new Replays(deps);
  }

  /**
   * Resolves with the request at its outcome, an asynchronous one once it is accepted; throws the error that the caller
   * gets instead.
   */
  async submit(caller: Caller, submission: Submission): Promise<OcrRequest> {
    return this.#ends.answer(await this.#take(caller, submission));
  }

  /** Takes a document in: as far as the end, if that is awaited. */
  async #take(caller: Caller, submission: Submission): Promise<Answering> {
    const key = submission.idempotencyKey === null ? null : checkedKey(submission.idempotencyKey);
    const { sentDocuments } = submission;
    const understood = understand(submission.input, submission.unknownFields, { ...this.#deps, sentDocuments });
    submission.input.input.dataBase64 = undefined; // decoded: the text need not stay in memory
    const { effective, bytes } = understood;
    const print = fingerprint(effective, bytes && (await documentHash(bytes)));
    const sent = { print, bytes, onRequest: submission.onRequest };
    const refuse = () => {
      if (effective.mode === 'async') requireHistory(caller, understood);
      this.#deps.pressure.requireMemory();
    };
    const bound = await this.#replays.knownDespite(refuse, caller.accountId, key);
    if (bound) return this.#replays.repeat(bound, sent);
    const client = clientOf(caller, understood, submission.hangUp);
    const { document, known } = await this.#open(caller, key, understood, client);
    if (known) return this.#replays.repeat(known, sent);
    const request = draftRequest(caller, understood, {
      idempotencyKey: key,
      fingerprint: print,
      pagesTotal: document?.inspection.pages ?? null,
      prices: acceptedPrices(this.#readersOf(understood)),
    });
    if (document) {
      request.jobId = await jobIdFor(this.#deps.documents, request, { document, engine: understood.engine, client });
    }
    return this.#accept(caller, request, understood, document, submission.onRequest);
  }

  /**
   * Opens the document for an engine that takes requests, or finds that the key is bound: then neither what was sent
   * now nor the state of the engine matters.
   */
  async #open(
    caller: Caller,
    key: string | null,
    understood: Understood,
    client: DocumentClient,
  ): Promise<{ document: OpenDocument | null; known: OcrRequest | null }> {
    const { availability, documents, acceptance, budgets } = this.#deps;
    const { bytes, effective, engine, fallbackEngine } = understood;
    const byKey = () => this.#replays.known(caller.accountId, key);
    const needed = holdOf(understood);
    const costly = isCostly(understood);
    const lookAtFunds = () =>
      Promise.all([acceptance.funds(caller.accountId), caller.hasBudget ? budgets.of(caller.keyId) : null]);
    const funds = costly ? lookAtFunds() : null;
    if (costly) {
      const [known] = await Promise.all([byKey(), funds]);
      if (known) return { document: null, known };
    }
    try {
      availability.require(engine);
      if (fallbackEngine) availability.require(fallbackEngine);
      requireWithinCap(understood);
      if (funds) requireFunds(needed, ...(await funds));
      const open = () =>
        bytes ? openDocument(documents, bytes, { effective, engine, client }) : Promise.resolve(null);
      const document = bytes ? await inSpan('document', { isLeaf: true }, open) : null;
      return { document, known: null };
    } catch (error) {
      const known = await byKey();
      if (known) return { document: null, known };
      // Money is judged before the document, also where that was cheap enough to be looked at first.
      const isUnreadable = error instanceof AppError && error.code === 'unprocessable_entity';
      if (isUnreadable) requireFunds(needed, ...(await (funds ?? lookAtFunds())));
      throw error;
    }
  }

  /** Every engine that may read it. */
  #readersOf({ engine, fallbackEngine, effective }: Understood): Engine[] {
    const alikes = effective.fallback === 'similar' ? this.#deps.catalogue.alikes(engine) : [];
    return [engine, ...(fallbackEngine ? [fallbackEngine] : []), ...alikes];
  }

  async #accept(
    caller: Caller,
    request: OcrRequest,
    understood: Understood,
    document: OpenDocument | null,
    onRequest: Submission['onRequest'],
  ): Promise<Answering> {
    const { places, pressure } = this.#deps;
    const sent = { print: request.fingerprint ?? '', bytes: understood.bytes, onRequest };
    const { engine, bytes } = understood;
    const { accountId, idempotencyKey } = request;
    const { hold, tokenPriced } = holdOf(understood);
    const isLimited = caller.hasBudget ?? false;
    const placement = new Placement(places.reserve(engine, accountId), () => pressure.join(engine.id, accountId));
    if (!placement.place) {
      const bound = await this.#replays.knownDespite(() => placement.queue(), accountId, idempotencyKey);
      if (bound) return this.#replays.repeat(bound, sent);
    }
    const candidate = (): Candidate => {
      const starts = placement.place !== null;
      const stored = starts && request.mode === 'sync' ? null : bytes;
      return { request, hold, bytes: stored, tokenPriced, isLimited, starts, level: placement.level };
    };
    try {
      const about = { 'ocr.request_id': request.id, 'ocr.engine': engine.id };
      const answer = await inSpan('accept', { attributes: about, isLeaf: true }, () =>
        this.#claim(candidate, placement),
      ).finally(() => placement.ended());
      if (answer.kind === 'refused') throw refusalOf(answer, hold);
      // Who only waits for a request takes no place: the request itself may need it.
      if (answer.kind === 'known' || !answer.isOurs) placement.release();
      if (answer.kind === 'known') {
        const known = await this.#ends.find(answer.requestId);
        if (!known) throw new Error(`request ${answer.requestId} is gone`);
        return await this.#replays.repeat(known, sent);
      }
      faultPoint('accepted');
      annotateSpan(about);
      onRequest?.(request.id);
      if (!answer.isOurs) return await this.#follow(request, bytes);
      const { place } = placement;
      const begin = place ? this.#starting(request, document, place) : this.#queueing(request);
      return request.mode === 'async' ? accepted(request, begin) : { request, isAwaited: true, begin };
    } catch (error) {
      placement.release();
      throw error;
    }
  }

  /** A request that was accepted in an outage and has gone to another process since. */
  async #follow(request: OcrRequest, bytes: Buffer | null): Promise<Answering> {
    // The process that has the document in its memory may be gone.
    if (bytes) await keepDocument(this.#deps, request.id, bytes);
    Object.assign(request, { status: 'processing', outcome: 'processing' });
    return { request, isAwaited: request.mode === 'sync' };
  }

  /**
   * Throws `engine_unavailable` when the database stays away; what was accepted for all that ends without a charge. Who waits
   * for a locked wallet takes no place meanwhile, and joins the queue.
   */
  async #claim(candidate: () => Candidate, placement: Placement): Promise<Acceptance> {
    const whileLocked = () => {
      placement.queue();
      return candidate();
    };
    try {
      return await this.#deps.acceptance.accept(candidate(), whileLocked);
    } catch (error) {
      const { request, starts } = candidate();
      // A queue that was found full while the wallet was locked.
      if (!(error instanceof OutageError)) {
        const bound = await this.#replays.knownOr(error, request.accountId, request.idempotencyKey);
        return { kind: 'known', requestId: bound.id };
      }
      const disowned = endUnacknowledged(
        Object.assign(new OcrRequest(), request, { fence: starts ? 1 : 0 }),
        this.#deps,
      );
      placement.place?.awaits(disowned); // or it would be given back to the queue as one that no process runs
      throw databaseIsAway(error);
    }
  }

  /** Begins the work here. */
  #starting(request: OcrRequest, document: OpenDocument | null, place: Reservation): () => void {
    return () => {
      Object.assign(request, {
        outcome: 'processing',
        status: 'processing',
        fence: 1,
        starts: 1,
        startedAt: new Date(),
      });
      place.start({ request, document, isStored: request.mode === 'async' });
    };
  }

  /** Tells who works that it waits. Apart from the above: what waits in the queue must not hold its document. */
  #queueing(request: OcrRequest): () => void {
    return () => {
      Object.assign(request, { outcome: 'processing', status: 'queued' });
      this.#deps.changes.tell(() => changeOf(request));
      this.#deps.dispatch.announce({ engineId: request.requestedEngine, id: `${request.id}:0` });
    };
  }
}

/** The result of an asynchronous request can only be read where it is kept. */
function requireHistory(caller: Caller, { store }: Understood): void {
  if (!store)
    throw new AppError('history_disabled', 'mode: `async` needs OCR history, which `store` = false declines.');
  if (caller.history) return;
  throw new AppError('history_disabled', 'mode: `async` needs OCR history, which is off for this account.');
}

/**
 * What the caller is told: the request as it was accepted, whatever the work does to it meanwhile. None of its pages is read
 * yet, and none is looked up: a look-up could fail, and the caller be told of an error of what is accepted and charged.
 */
function accepted(request: OcrRequest, begin: () => void): Answering {
  begin();
  return { request: Object.assign(new OcrRequest(), request, { pageRows: [] }), isAwaited: false };
}

function isCostly({ bytes }: Understood): boolean {
  return bytes !== null && COSTLY_FORMATS.has(sniff(bytes) ?? '');
}

/** Who opens: cheap formats need no signal of the connection. */
function clientOf(caller: Caller, understood: Understood, hangUp: Submission['hangUp']): DocumentClient {
  return { party: caller.accountId, signal: isCostly(understood) ? hangUp?.() : undefined, opening: true };
}
