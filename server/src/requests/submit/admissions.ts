import { OutageError } from '../../database/outage.ts';
import type { DocumentStore } from '../../documents/store.ts';
import { faultPoint } from '../../platform/fault.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { Dispatch } from '../../platform/messaging/dispatch.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import { annotateSpan, inSpan } from '../../platform/tracing/spans.ts';
import type { Understood } from '../model/input/understand.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import type { OpenDocument } from '../read/open-document.ts';
import { databaseIsAway, type EndUnacknowledgedDeps, endUnacknowledged } from '../run/end-unacknowledged.ts';
import { keepDocument } from '../run/keep-document.ts';
import type { Reservation, Worker } from '../run/worker.ts';
import type { AcceptanceStore } from '../store/accept/accept.ts';
import type { Acceptance, Candidate } from '../store/accept/acceptance.ts';
import type { Answering, EndWaiter } from './end-waiter.ts';
import { holdOf, refusalOf } from './funds.ts';
import { Placement } from './placement.ts';
import type { Pressure } from './pressure.ts';
import type { Replays, Sent } from './replays.ts';

/** A request that is ready for acceptance: it is understood, and its document is open. */
export interface AdmissionInput {
  readonly request: OcrRequest;
  readonly understood: Understood;
  /** Null for a document at a URL. */
  readonly document: OpenDocument | null;
  readonly sent: Sent;
}

export interface AdmissionsDeps extends EndUnacknowledgedDeps {
  readonly store: DocumentStore;
  readonly acceptance: AcceptanceStore;
  readonly dispatch: Dispatch;
  readonly changes: RequestChanges;
  /** The places in this process; a process that only takes requests in has none. */
  readonly places: Pick<Worker, 'reserve'>;
  readonly pressure: Pressure;
  readonly log: Log;
}

/** Accepts requests (key, money and place or queue in one statement), and then begins the work or hints at it. */
export class Admissions {
  readonly #deps: AdmissionsDeps & { readonly ends: EndWaiter; readonly replays: Replays };

  constructor(deps: AdmissionsDeps & { readonly ends: EndWaiter; readonly replays: Replays }) {
    this.#deps = deps;
  }

  /**
   * Throws the error that the caller gets: the money or the limit does not suffice, the queue is full, the database stays
   * away.
   */
  async admit({ request, understood, document, sent }: AdmissionInput): Promise<Answering> {
    const { places, pressure, ends, replays } = this.#deps;
    const { engine, bytes } = understood;
    const { accountId, idempotencyKey } = request;
    const { hold, tokenPriced } = holdOf(understood);
    const isLimited = sent.caller.hasBudget ?? false;
    const placement = new Placement(places.reserve(engine, accountId), () => pressure.join(engine.id, accountId));
    if (!placement.place) {
      const bound = await replays.boundIfRefused(() => placement.queue(), accountId, idempotencyKey);
      if (bound) return replays.repeat(bound, sent);
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
      // A call that only waits for another one's request gives its place back: that request may need it.
      if (answer.kind === 'known' || !answer.isOurs) placement.release();
      if (answer.kind === 'known') {
        const known = await ends.find(answer.requestId);
        if (!known) throw new Error(`request ${answer.requestId} is gone`);
        return await replays.repeat(known, sent);
      }
      faultPoint('accepted');
      annotateSpan(about);
      sent.onRequest?.(request.id);
      if (!answer.isOurs) return await this.#follow(request, bytes);
      const { place } = placement;
      const begin = place ? this.#starting(request, document, place) : this.#queueing(request);
      return request.mode === 'async' ? accepted(request, begin) : { request, isAwaited: true, begin };
    } catch (error) {
      placement.release();
      throw error;
    }
  }

  /** Answers for a request that was accepted by an earlier try, and that another process has by now. */
  async #follow(request: OcrRequest, bytes: Buffer | null): Promise<Answering> {
    // The process that had the document in memory may be gone: it is stored again.
    if (bytes) await keepDocument(this.#deps, request.id, bytes);
    Object.assign(request, { status: 'processing', outcome: 'processing' });
    return { request, isAwaited: request.mode === 'sync' };
  }

  /**
   * Throws `engine_unavailable` when the database stays away; a request that was accepted all the same is ended without a charge.
   * A request whose wallet stays locked gives its place back, and joins the queue.
   */
  async #claim(candidate: () => Candidate, placement: Placement): Promise<Acceptance> {
    const replacement = () => {
      placement.queue();
      return candidate();
    };
    try {
      return await this.#deps.acceptance.accept(candidate(), replacement);
    } catch (error) {
      const { request, starts } = candidate();
      // `replacement` has found the queue full.
      if (!(error instanceof OutageError)) {
        const bound = await this.#deps.replays.boundOrThrow(error, request.accountId, request.idempotencyKey);
        return { kind: 'known', requestId: bound.id };
      }
      const disowned = endUnacknowledged(
        Object.assign(new OcrRequest(), request, { fence: starts ? 1 : 0 }),
        this.#deps,
      );
      placement.place?.awaits(disowned); // until then its lease is no stray one
      throw databaseIsAway(error);
    }
  }

  /** Begins the work in this process. */
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

  /** Hints at the queued request. A method of its own, so that its closure holds no document. */
  #queueing(request: OcrRequest): () => void {
    return () => {
      Object.assign(request, { outcome: 'processing', status: 'queued' });
      this.#deps.changes.publish(() => changeOf(request));
      this.#deps.dispatch.queued({ engineId: request.requestedEngine, id: `${request.id}:0` });
    };
  }
}

/**
 * What an asynchronous caller gets: a copy of the request as it was accepted, since the work goes on with the original. It has
 * no pages yet, so none are looked up: that could fail, and answer an accepted request with an error.
 */
function accepted(request: OcrRequest, begin: () => void): Answering {
  begin();
  return { request: Object.assign(new OcrRequest(), request, { pageRows: [] }), isAwaited: false };
}
