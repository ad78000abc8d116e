import { type Patience, throughOutage } from '../../database/outage.ts';
import type { DocumentFetcher } from '../../documents/fetch.ts';
import type { DocumentStore } from '../../documents/store.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/logging/log.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import { unsoldAttempts } from '../judge/unsold-attempts.ts';
import type { Attempt } from '../model/attempt.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RunPlace } from '../places/run-place.ts';
import { documentHash } from '../read/document-hash.ts';
import { jobIdFor } from '../read/large-job.ts';
import { type OpenDocument, openDocument } from '../read/open-document.ts';
import type { PageJournal } from '../read/page-result.ts';
import type { Readers } from '../read/page-task.ts';
import type { LargeRequestPages } from '../store/large-request-pages.ts';
import { type Phases, timed } from '../times/phases.ts';
import { keepDocument } from './keep-document.ts';

/** A request under this process's lease, with what acceptance may have handed over. */
export interface Assignment {
  readonly request: OcrRequest;
  readonly document: OpenDocument | null;
  /** The document as it is stored, where the claim brought it along. */
  readonly bytes?: Buffer | null;
  /** False while `document` is in this process's memory only. */
  readonly isStored: boolean;
}

export interface RunDocumentsDeps extends Pick<Readers, 'documents'> {
  readonly fetcher: DocumentFetcher;
  readonly store: DocumentStore;
  readonly largeRequestPages: LargeRequestPages;
  readonly log: Log;
}

/** What a run has around it: the phases whose times it takes, its place at the engine, the signal that ends it. */
export interface RunContext {
  readonly phases: Phases;
  readonly place: RunPlace;
  readonly signal: AbortSignal;
}

/** The documents that runs read, and the journals of their pages that are finished already. */
export class RunDocuments {
  readonly #deps: RunDocumentsDeps;
  readonly #patience: Patience;

  /** `patience`: how long the database is waited for when it is away. */
  constructor(deps: RunDocumentsDeps, patience: Patience) {
    this.#deps = deps;
    this.#patience = patience;
  }

  /** From here on the crash of this process does not lose the document. Never throws. */
  async keep(assignment: Assignment): Promise<void> {
    const bytes = unstored(assignment);
    if (bytes) await keepDocument(this.#deps, assignment.request.id, bytes);
  }

  /** As `keep`; throws when it could not be stored. */
  async store(assignment: Assignment): Promise<void> {
    const bytes = unstored(assignment);
    if (bytes) await this.#deps.store.keep(assignment.request.id, bytes);
  }

  /** Throws `unprocessable_entity` for what cannot be read, `provider_error` for what a URL did not answer with. */
  open(assignment: Assignment, engine: Engine, context: RunContext): Promise<OpenDocument> {
    return timed(
      () => inSpan('document', { isLeaf: true }, () => this.#open(assignment, engine, context)),
      (ms) => {
        context.phases.documentMs = ms;
      },
    );
  }

  async #open({ request, bytes: known }: Assignment, engine: Engine, context: RunContext): Promise<OpenDocument> {
    const { documents, fetcher, store } = this.#deps;
    const { place, signal } = context;
    const { effective } = request;
    const stored = async () => known ?? this.#through(() => store.load(request.id));
    const fetched = (url: string) => place.beside(fetcher.fetch(url, signal), signal);
    const bytes = await (effective.url === null ? stored() : fetched(effective.url));
    if (!bytes)
      throw new AppError('internal_error', 'The document was lost in a crash. Nothing was charged; send it again.');
    await requireSame(request, bytes);
    // By it the document is known again that a searchable PDF is made of; one that was sent is known by the fingerprint.
    if (effective.url !== null && effective.include) request.documentHash = await documentHash(bytes);
    return openDocument(documents, bytes, { effective, engine, client: { party: request.accountId, signal } });
  }

  /** A large job's pages; null for every other request. Whether one at a URL is large is known only now. */
  async journal(
    request: OcrRequest,
    opened: { document: OpenDocument; engine: Engine; phases: Phases; signal: AbortSignal },
  ): Promise<PageJournal | null> {
    const { documents, largeRequestPages } = this.#deps;
    if (request.jobId === null && request.effective.url !== null) {
      const client = { party: request.accountId, signal: opened.signal };
      request.jobId = await jobIdFor(documents, request, { ...opened, client });
      const { jobId } = request;
      if (jobId !== null) {
        const { bytes, inspection } = opened.document;
        const job = { jobId, pagesTotal: inspection.pages, documentHash: await documentHash(bytes) };
        await this.#through(() => largeRequestPages.name(request, job));
      }
    }
    if (request.jobId === null) return null;
    const { finished, record } = await this.#through(() => largeRequestPages.open(request, opened.phases));
    return { finished, record: (page) => this.#through(() => record(page)) };
  }

  /** Of a job that fails before its pages are looked at again: what the stored ones cost. */
  async attemptsOfEarlierStarts(request: OcrRequest): Promise<Attempt[]> {
    if (request.jobId === null) return [];
    const { finished } = await this.#through(() => this.#deps.largeRequestPages.open(request));
    return unsoldAttempts([...finished.values()], () => newId('att_'));
  }

  /** A database that restarts must not cost a request its end, nor a reading that was paid for. */
  #through<T>(work: () => Promise<T>): Promise<T> {
    return throughOutage(work, this.#patience);
  }
}

/** Bytes that are in this process's memory alone. */
function unstored({ request, document, isStored }: Assignment): Buffer | null {
  return isStored || !document || request.effective.url !== null ? null : document.bytes;
}

/** The pages of a job that are stored belong to the document that it began with; a URL may answer with another one. */
async function requireSame({ documentHash: known }: OcrRequest, bytes: Buffer): Promise<void> {
  if (known === null || known === (await documentHash(bytes))) return;
  throw new AppError(
    'provider_error',
    'The document at the URL changed while the job was under way: its pages would have been those of two documents.',
  );
}
