import { OutageError } from '../../database/outage.ts';
import type { DocumentStore } from '../../documents/store.ts';
import { faultPoint } from '../../platform/fault.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { Dispatch } from '../../platform/messaging/dispatch.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import { annotateSpan, inSpan } from '../../platform/tracing/spans.ts';
import type { Understood } from '../model/effective.ts';
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

/** What is to be accepted: everything about it is judged, and its document open. */
export interface Applicant {
  readonly request: OcrRequest;
  readonly understood: Understood;
  /** Null for one at a URL. */
  readonly document: OpenDocument | null;
  readonly sent: Sent;
}

export interface AdmissionsDeps extends EndUnacknowledgedDeps {
  readonly store: DocumentStore;
  readonly acceptance: AcceptanceStore;
  readonly dispatch: Dispatch;
  readonly changes: RequestChanges;
  /** Places in this process; none where only others work. */
  readonly places: Pick<Worker, 'reserve'>;
  readonly pressure: Pressure;
  readonly log: Log;
}

/** Accepts requests: the money, the key and the place or the queue in one statement, and then the work begins. */
export class Admissions {
  readonly #deps: AdmissionsDeps & { readonly ends: EndWaiter; readonly replays: Replays };

  constructor(deps: AdmissionsDeps & { readonly ends: EndWaiter; readonly replays: Replays }) {
    this.#deps = deps;
  }

  /** Throws the error that the caller gets instead: of money, of the queue, of a database that stays away. */
  async admit({ request, understood, document, sent }: Applicant): Promise<Answering> {
    const { places, pressure, ends, replays } = this.#deps;
    const { engine, bytes } = understood;
    const { accountId, idempotencyKey } = request;
    const { hold, tokenPriced } = holdOf(understood);
    const isLimited = sent.caller.hasBudget ?? false;
    const placement = new Placement(places.reserve(engine, accountId), () => pressure.join(engine.id, accountId));
    if (!placement.place) {
      const bound = await replays.knownDespite(() => placement.queue(), accountId, idempotencyKey);
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
      // Who only waits for a request takes no place: the request itself may need it.
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
        const bound = await this.#deps.replays.knownOr(error, request.accountId, request.idempotencyKey);
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
      this.#deps.dispatch.queued({ engineId: request.requestedEngine, id: `${request.id}:0` });
    };
  }
}

/**
 * What the caller is told: the request as it was accepted, whatever the work does to it meanwhile. None of its pages is read
 * yet, and none is looked up: a look-up could fail, and the caller be told of an error of what is accepted and charged.
 */
function accepted(request: OcrRequest, begin: () => void): Answering {
  begin();
  return { request: Object.assign(new OcrRequest(), request, { pageRows: [] }), isAwaited: false };
}
