import { deriveKey } from './derive-key.ts';
import { openDocument, rawDocument, type Source } from './document.ts';
import { OcrError } from './errors.ts';
import type { components } from './openapi.ts';
import { askedPauseMs, pollPauseMs, type Sleep, sleep } from './pauses.ts';
import { type Retry, Transport } from './transport.ts';

export type { Source } from './document.ts';
export type { Retry } from './transport.ts';
export { type OcrCompletedEvent, verifyWebhook } from './verify-webhook.ts';
export { OcrError };

type Schemas = components['schemas'];
export type OcrRequest = Schemas['OcrRequest'];
export type OcrResult = Schemas['OcrResult'];
export type Estimate = Schemas['Estimate'];
export type Engine = Schemas['Engine'];
export type Usage = Schemas['UsageTotals'];
export type PageResult = Schemas['PageResult'];
export type PageResultList = Schemas['PageResultList'];
/** A file that a result can be had as. */
export type FileFormat = components['parameters']['FileFormat'];

export interface ClientOptions {
  /** Where the gateway is; `OCR_ROUTER_URL` or http://127.0.0.1:8080 when absent or empty. */
  readonly url?: string;
  /** `OCR_ROUTER_API_KEY` when absent. */
  readonly apiKey?: string;
  /** How often a call is sent again that has no outcome; 5 when absent. */
  readonly retries?: number;
  /** The longest that one answer is waited for; 240 s when absent, which is longer than any synchronous call takes. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** Waits between calls; a timer when absent. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called before a call is sent again; what it throws ends the call. */
  readonly onRetry?: (retry: Retry) => void;
}

/** Everything that a request may say besides its document, in the contract's words. */
export type ReadOptions = Omit<OcrRequest, 'input' | 'engine' | 'output_format' | 'fallback' | 'mode'> & {
  readonly engine?: string;
  readonly fallback?: OcrRequest['fallback'];
  readonly mode?: OcrRequest['mode'];
  /** Reads every page that the document has: their number is asked for first, which needs the scope `usage:read`. */
  readonly allPages?: boolean;
  /**
   * The same key and request run and cost once. When absent it is made of the document and the options, so that the
   * same call repeats its first outcome.
   */
  readonly idempotencyKey?: string;
  /** Hears the id of a request that is waited for: `cancel` takes it. */
  readonly onRequest?: (requestId: string) => void;
  /** Called where the outcome is that of an earlier call with the same key: this one is charged nothing. */
  readonly onReplay?: () => void;
  readonly signal?: AbortSignal;
};

export interface PagesOptions {
  /** What each page carries beside its text, as far as the request has asked for it. */
  readonly include?: Schemas['Include'];
  /** Pages that are asked for at a time, 1 to 100; 100 when absent. */
  readonly per_page?: number;
  readonly signal?: AbortSignal;
}

export interface OutputOptions {
  /** The document of the request, which `pdf` needs once more: a path, bytes or a stream. */
  readonly document?: Source;
  /** Of the document; all that were read when absent. */
  readonly page?: number;
  /** Of that page, for `csv`. */
  readonly table?: number;
  readonly text_layer?: 'missing' | 'all';
  readonly signal?: AbortSignal;
}

const DEFAULT_ENGINE = 'tesseract';
const MOST_PER_PAGE = 100;

/** A client of ocr-router. */
export class OcrRouter {
  readonly #transport: Transport;
  readonly #sleep: Sleep;

  constructor(options: ClientOptions = {}) {
    this.#sleep = options.sleep ?? sleep;
    const url = options.url || process.env['OCR_ROUTER_URL'] || 'http://127.0.0.1:8080';
    this.#transport = new Transport({
      url: url.trim().replace(/\/+$/, ''),
      apiKey: (options.apiKey ?? process.env['OCR_ROUTER_API_KEY'] ?? '').trim(),
      retries: options.retries ?? 5,
      timeoutMs: options.timeoutMs ?? 240_000,
      fetch: options.fetch ?? fetch,
      sleep: this.#sleep,
      onRetry: options.onRetry,
    });
  }

  /**
   * Reads a document and waits for its outcome, whichever way it is sent. A refusal by an engine is a result
   * (`status`); what kept the request from running is an `OcrError`.
   */
  async read(source: Source, options: ReadOptions = {}): Promise<OcrResult> {
    const { allPages, idempotencyKey, onRequest, onReplay, signal, ...fields } = options;
    refuseFormat(fields);
    const document = await openDocument(source);
    const request = { ...fields, engine: fields.engine ?? DEFAULT_ENGINE, input: document.input };
    const body = allPages ? { ...request, page_count: (await this.#estimate(request, signal)).pages_total } : request;
    const key = idempotencyKey ?? deriveKey(document.sha256, body);
    const headers = { 'Idempotency-Key': key };
    const { body: result, isReplay } = await this.#transport.call<OcrResult>({
      method: 'POST',
      path: '/v1/ocr',
      body,
      headers,
      signal,
    });
    if (isReplay) onReplay?.();
    if (!isUnderWay(result)) return result;
    onRequest?.(result.request_id);
    return this.wait(result.request_id, signal);
  }

  /** What reading a document would cost. Nothing is read, reserved or charged. */
  async estimate(source: Source, options: ReadOptions = {}): Promise<Estimate> {
    const { allPages, idempotencyKey: _key, onRequest: _hears, onReplay: _learns, signal, ...fields } = options;
    const { input } = await openDocument(source);
    const request = { ...fields, engine: fields.engine ?? DEFAULT_ENGINE, input };
    const first = await this.#estimate(request, signal);
    if (!allPages || first.billed_pages === first.pages_total) return first;
    return this.#estimate({ ...request, page_count: first.pages_total }, signal);
  }

  /** A request as it stands. */
  async get(requestId: string, signal?: AbortSignal): Promise<OcrResult> {
    return this.#get<OcrResult>(`/v1/ocr/${encodeURIComponent(requestId)}`, signal);
  }

  /** Waits for the outcome of a request: looks at it again after half a second, then less and less often, to every 15 s. */
  async wait(requestId: string, signal?: AbortSignal): Promise<OcrResult> {
    const path = `/v1/ocr/${encodeURIComponent(requestId)}`;
    for (let look = 0; ; look++) {
      const { headers, body } = await this.#transport.call<OcrResult>({ method: 'GET', path, signal });
      if (!isUnderWay(body)) return body;
      await this.#sleep(pollPauseMs(look, askedPauseMs(headers, body)), signal);
    }
  }

  /** The pages of a request, in order, asked for part by part. */
  async *pages(requestId: string, options: PagesOptions = {}): AsyncGenerator<PageResult, void, undefined> {
    for (let part = 1; ; part++) {
      const { data, per_page, total } = await this.listPages(requestId, { ...options, part });
      yield* data;
      if (data.length === 0 || part * per_page >= total) return;
    }
  }

  /** One part of the pages of a request; they are counted from 1. */
  async listPages(
    requestId: string,
    { include, per_page = MOST_PER_PAGE, part = 1, signal }: PagesOptions & { readonly part?: number } = {},
  ): Promise<PageResultList> {
    const query = queryOf({ include: include?.join(','), page: part, per_page });
    return this.#get<PageResultList>(`/v1/ocr/${encodeURIComponent(requestId)}/pages?${query}`, signal);
  }

  /**
   * A result as a file. `hocr`, `alto` and `pdf` need positions: read with `include: ['words']`. A `pdf` is the document
   * with an invisible text layer, and needs the document once more.
   */
  async output(
    requestId: string,
    format: FileFormat,
    { document, page, table, text_layer, signal }: OutputOptions = {},
  ): Promise<Buffer> {
    const path = `/v1/ocr/${encodeURIComponent(requestId)}/output?${queryOf({ format, page, table, text_layer })}`;
    const bytes = document === undefined ? undefined : await rawDocument(document);
    const call = bytes ? { method: 'POST' as const, path, bytes, signal } : { method: 'GET' as const, path, signal };
    return (await this.#transport.file(call)).body;
  }

  /** The document of a request, which it needs once more, as a searchable PDF: `output` with the format `pdf`. */
  async pdf(
    requestId: string,
    document: Source,
    options: Pick<OutputOptions, 'page' | 'text_layer' | 'signal'> = {},
  ): Promise<Buffer> {
    return this.output(requestId, 'pdf', { ...options, document });
  }

  /** Ends a request that nobody waits for any more. What has been read of it by then is charged. */
  async cancel(requestId: string, signal?: AbortSignal): Promise<OcrResult> {
    const path = `/v1/ocr/${encodeURIComponent(requestId)}/cancel`;
    return (await this.#transport.call<OcrResult>({ method: 'POST', path, signal })).body;
  }

  async engines(signal?: AbortSignal): Promise<Engine[]> {
    return (await this.#get<{ data: Engine[] }>('/v1/engines', signal)).data;
  }

  async usage(signal?: AbortSignal): Promise<Usage> {
    return this.#get<Usage>('/v1/usage', signal);
  }

  async #get<T>(path: string, signal: AbortSignal | undefined): Promise<T> {
    return (await this.#transport.call<T>({ method: 'GET', path, signal })).body;
  }

  async #estimate(body: object, signal: AbortSignal | undefined): Promise<Estimate> {
    return (await this.#transport.call<Estimate>({ method: 'POST', path: '/v1/ocr/estimate', body, signal })).body;
  }
}

/** What no type allows, and plain JavaScript may send: an answer that is no JSON would be charged, and not understood. */
function refuseFormat(fields: Readonly<Record<string, unknown>>): void {
  if ((fields['output_format'] ?? 'json') === 'json') return;
  const message = 'output_format: a read has its result as JSON; `output` has it as a file, in other formats, too.';
  throw new OcrError(message, { code: 'invalid_request', status: 400 });
}

function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}

function isUnderWay({ status }: OcrResult): boolean {
  return status === 'queued' || status === 'processing';
}
