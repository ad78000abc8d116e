import type { GraphQLSchema } from 'graphql';
import { isTransientFailure } from '../database/transient-failure.ts';
import type { Log } from '../platform/logging/log.ts';
import { type NanoUsd, toUsd } from '../platform/money.ts';
import { CompiledDocument } from './compiled-document.ts';
import { namedSchema } from './contract/contract.ts';
import { type Presenter, presenter } from './contract/present.ts';
import { readDocuments } from './documents.ts';

/** The request that a webhook is about. Engine and cost are reported where it cannot be read back. */
export interface Subject {
  readonly requestId: string;
  readonly accountId: string;
  readonly engine: string;
  readonly cost: NanoUsd;
}

export interface WebhookBodyDeps {
  readonly schema: GraphQLSchema;
  readonly contract: Record<string, unknown>;
  /** Makes the context for resolvers as if the owner of the account read. */
  readonly contextOf: (accountId: string) => object;
  readonly log: Log;
}

type Fields = Readonly<Record<string, unknown>>;

/** Renders bodies of `ocr.completed` as REST bodies are: by a GraphQL document and a schema of the contract. */
export class WebhookBody {
  readonly #deps: WebhookBodyDeps;
  readonly #document: CompiledDocument;
  readonly #present: Presenter;

  constructor(deps: WebhookBodyDeps) {
    this.#deps = deps;
    const document = readDocuments('events').get('ocrCompleted');
    if (!document) throw new Error('the event ocrCompleted has no GraphQL document');
    this.#document = new CompiledDocument(deps.schema, document);
    this.#present = presenter(namedSchema(deps.contract, 'OcrCompletedEvent'));
  }

  /**
   * Renders the body as JSON, with the present time as its `timestamp`. Throws where the request cannot be read back now, but may
   * be later.
   */
  async render(subject: Subject): Promise<string> {
    const fields = await this.#read(subject);
    const told = fields ? announce(fields) : unreadable(subject);
    return JSON.stringify(this.#present({ ...told, timestamp: new Date().toISOString() }));
  }

  /** Reads the request; null where it cannot be read back at all. Throws transient failures. */
  async #read({ requestId, accountId }: Subject): Promise<Fields | null> {
    const { contextOf, log } = this.#deps;
    const { data, errors } = await this.#document.run(contextOf(accountId), { requestId });
    if (!errors && data) return data['result'] as Fields; // the document selects an object
    const failure = errors?.[0]?.originalError ?? errors?.[0];
    if (isTransientFailure(failure)) throw failure;
    log.error({ err: failure, requestId }, 'a request could not be read back for its webhook');
    return null;
  }
}

/** The fields of the body: pages and warnings only of a success. */
function announce(fields: Fields): Fields {
  const status = statusOf(fields);
  const told = { ...fields, status };
  return status === 'succeeded' ? told : { ...told, pages: null, pages_total: null, warnings: null };
}

/**
 * The status that the webhook tells. A failure is `partial` only while its preview has what was recovered (history may be off by
 * now).
 */
function statusOf({ status, extracted_text_preview: preview }: Fields): unknown {
  if (status === 'timeout') return 'refunded';
  return status === 'partial' && preview === null ? 'refunded' : status;
}

function unreadable({ requestId, engine, cost }: Subject): Fields {
  return {
    request_id: requestId,
    status: 'failed',
    engine,
    extracted_text: null,
    extracted_text_preview: null,
    cost_usd: toUsd(cost),
    provider_latency_ms: null,
    provider_error: 'The record of the request could not be read back.',
    warning: null,
  };
}
