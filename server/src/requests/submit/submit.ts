import type { Caller } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import type { KeyBudgets } from '../../billing/limits/key-budgets.ts';
import type { Documents } from '../../documents/documents.ts';
import { sniff } from '../../documents/formats/sniff.ts';
import type { DocumentClient } from '../../documents/limits/document-client.ts';
import type { Availability } from '../../engines/availability.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { AppError } from '../../platform/errors.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import { acceptedPrices } from '../model/accepted-prices.ts';
import { type Effective } from '../model/effective.ts';
import { checkedKey } from '../model/idempotency-key.ts';
import { type Interpreted, interpret, requireResolved, type Understood } from '../model/input/understand.ts';
import type { OcrRequestInput } from '../model/ocr-request.input.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { documentHash } from '../read/document-hash.ts';
import { jobIdFor } from '../read/large-job.ts';
import { type OpenDocument, openDocument } from '../read/open-document.ts';
import { Admissions, type AdmissionsDeps } from './admissions.ts';
import { draftRequest } from './draft-request.ts';
import { type Answering, EndWaiter, type EndWaiterDeps } from './end-waiter.ts';
import { fingerprint, isFingerprintOf } from './fingerprint.ts';
import { holdOf, requireFunds, requireWithinCap } from './funds.ts';
import { Replays, type Sent } from './replays.ts';

export interface Submission {
  readonly input: OcrRequestInput;
  /** Null in a batch: nothing is repeated then. */
  readonly idempotencyKey: string | null;
  /** Names of unknown body fields. */
  readonly unknownFields: readonly string[];
  /** Called with the id of the request that answers, before its outcome is there. */
  readonly onRequest?: ((requestId: string) => void) | undefined;
  readonly sentDocuments?: Context['sentDocuments'] | undefined;
  /** A signal that aborts when the caller leaves: the document is not opened any further then. An accepted request goes on. */
  readonly hangUp?: (() => AbortSignal) | undefined;
}

export interface SubmissionsDeps extends EndWaiterDeps, AdmissionsDeps {
  readonly catalogue: Catalogue;
  readonly availability: Availability;
  readonly documents: Documents;
  readonly budgets: Pick<KeyBudgets, 'of'>;
  readonly allowPrivateCidrs: readonly string[];
}

/** Formats that are costly to open: the idempotency key is looked up before. */
const COSTLY_FORMATS = new Set(['pdf', 'tiff', 'gif', 'webp']);

/** The largest hold that a column of the database takes; no account has as much. */
const MOST_RESERVED = 2n ** 63n - 1n;

/** Accepts documents, and waits for them as long as a synchronous caller does. */
export class Submissions {
  readonly #deps: SubmissionsDeps;
  readonly #ends: EndWaiter;
  readonly #replays: Replays;
  readonly #admissions: Admissions;

  constructor(deps: SubmissionsDeps) {
    this.#deps = deps;
    this.#ends = new EndWaiter(deps);
    this.#replays = new Replays(deps);
    this.#admissions = new Admissions({ ...deps, ends: this.#ends, replays: this.#replays });
  }

  /**
   * Resolves with the request at its outcome, an asynchronous one once it is accepted; throws the error that the caller
   * gets instead.
   */
  async submit(caller: Caller, submission: Submission): Promise<OcrRequest> {
    return this.#ends.answer(await this.#accept(caller, submission));
  }

  /** Accepts the request, or finds the one that the key is bound to. */
  async #accept(caller: Caller, submission: Submission): Promise<Answering> {
    const key = submission.idempotencyKey === null ? null : checkedKey(submission.idempotencyKey);
    const { catalogue, allowPrivateCidrs } = this.#deps;
    const { input, unknownFields, sentDocuments } = submission;
    const interpreted = interpret(input, unknownFields, { catalogue, allowPrivateCidrs, sentDocuments });
    input.input.dataBase64 = undefined; // decoded: the text need not stay in memory
    const { effective, bytes } = interpreted;
    const hash = bytes && (await documentHash(bytes));
    const sent: Sent = { caller, isSame: sameAs(effective, hash), bytes, onRequest: submission.onRequest };
    const refuse = () => {
      requireResolved(interpreted);
      if (effective.mode === 'async') requireHistory(caller, interpreted);
      this.#deps.pressure.requireMemory();
    };
    const bound = await this.#replays.boundIfRefused(refuse, caller.accountId, key);
    if (bound) return this.#replays.repeat(bound, sent);
    const understood = requireResolved(interpreted);
    const client = clientOf(caller, understood, submission.hangUp);
    const { document, known } = await this.#open(caller, key, understood, client);
    if (known) return this.#replays.repeat(known, sent);
    const request = draftRequest(caller, understood, {
      idempotencyKey: key,
      fingerprint: fingerprint(effective, hash),
      pagesTotal: document?.inspection.pages ?? null,
      prices: acceptedPrices(this.#readersOf(understood)),
    });
    if (document) {
      request.jobId = await jobIdFor(this.#deps.documents, request, { document, engine: understood.engine, client });
    }
    return this.#admissions.admit({ request, understood, document, sent });
  }

  /**
   * Opens the document, where the engines take requests and the money suffices; or finds the request (`known`) that the key is
   * bound to, for which none of that matters.
   */
  async #open(
    caller: Caller,
    key: string | null,
    understood: Understood,
    client: DocumentClient,
  ): Promise<{ document: OpenDocument | null; known: OcrRequest | null }> {
    const { availability, documents, acceptance, budgets } = this.#deps;
    const { bytes, effective, engine, fallbackEngine } = understood;
    const byKey = () => this.#replays.boundTo(caller.accountId, key);
    const needed = holdOf(understood);
    const costly = isCostly(understood) || needed.hold > MOST_RESERVED;
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
      // Too little money is a reason that goes before an unreadable document, also where a cheap document was opened first.
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
}

/** The result of an asynchronous request can only be read where it is kept. */
function requireHistory(caller: Caller, { store }: Interpreted): void {
  if (!store)
    throw new AppError('history_disabled', 'mode: `async` needs OCR history, which `store` = false declines.');
  if (caller.history) return;
  throw new AppError('history_disabled', 'mode: `async` needs OCR history, which is off for this account.');
}

/** A function of its own, so that the closure does not hold the document: a call may wait for minutes. */
function sameAs(effective: Effective, hash: string | null): Sent['isSame'] {
  return (print) => isFingerprintOf(print, effective, hash);
}

function isCostly({ bytes }: Understood): boolean {
  return bytes !== null && COSTLY_FORMATS.has(sniff(bytes) ?? '');
}

/** For whom a document is opened. Cheap formats are opened without the signal of the connection. */
function clientOf(caller: Caller, understood: Understood, hangUp: Submission['hangUp']): DocumentClient {
  return { party: caller.accountId, signal: isCostly(understood) ? hangUp?.() : undefined, opening: true };
}
