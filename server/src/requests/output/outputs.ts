import { Readable } from 'node:stream';
import { text as joined } from 'node:stream/consumers';
import type { OutputPage } from '../../documents/output/output-page.ts';
import type { SearchablePdfs } from '../../documents/output/searchable-pdf.ts';
import { DEFAULT_DPI } from '../../documents/pdf/pdf-draw.ts';
import { WaitingLine } from '../../platform/concurrency/waiting-line.ts';
import { AppError } from '../../platform/errors.ts';
import { VERSION } from '../../platform/version.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { isRead } from '../model/states.ts';
import type { RequestLookup } from '../store/find.ts';
import { csvTable } from './csv.ts';
import { FILES, type FileFormat, needsPositions } from './output-format.ts';
import { pieces } from './pieces.ts';
import type { ReadFacts, ReadPages } from './read-pages.ts';
import { requireSameDocument } from './same-document.ts';
import { textFile } from './text-file.ts';

export interface FileWish {
  readonly requestId: string;
  readonly format: FileFormat;
  /** Of the document; null for all that were read. */
  readonly page: number | null;
  /** Of that page, from 1; null for all tables. Of CSV. */
  readonly table: number | null;
  readonly textLayer: 'missing' | 'all';
  readonly signal: AbortSignal;
}

/** A file on its way to the caller. */
export interface OutputFile {
  readonly stream: Readable;
  /** In bytes; null where it is written while it is sent. */
  readonly length: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

const IN_LINE = {
  mostWaiting: 4,
  mostWaitingEach: 2,
  waitMs: 10_000,
  message: 'Too many searchable PDFs are being made. Try again.',
};
/** PDFs that are made: each holds its document several times over. */
const MAKING = { ...IN_LINE, permits: 2, permitsEach: 1 };
/** PDFs that are made or on their way: they are in memory until their readers have them. */
const HELD = { ...IN_LINE, permits: 8, permitsEach: 2 };
/** Of a PDF with text layer: its lines are in memory all at once. */
const MOST_PDF_PAGES = 1000;

/** Makes files of results. Nothing is stored: they are made when they are asked for. */
export class Outputs {
  readonly #lookup: RequestLookup;
  readonly #pages: ReadPages;
  readonly #pdfs: SearchablePdfs;
  readonly #making = new WaitingLine(MAKING);
  readonly #held = new WaitingLine(HELD);

  constructor({ lookup, pages, pdfs }: { lookup: RequestLookup; pages: ReadPages; pdfs: SearchablePdfs }) {
    this.#lookup = lookup;
    this.#pages = pages;
    this.#pdfs = pdfs;
  }

  /**
   * A file of a retained result that the caller may read. A PDF needs the document itself. Throws 400 for a request that
   * has not ended with text and for a page that it has not, 409 where no positions are known, 410 without the document.
   */
  async open(wish: FileWish, document: Buffer | null): Promise<OutputFile> {
    const request = await this.#lookup.withoutLargeText(wish.requestId);
    if (!request) throw new AppError('not_found', 'There is no such request in your account.');
    const facts = (await this.#pages.facts([request.id], wish.page)).get(request.id);
    requireText(request, facts, wish);
    if (needsPositions(wish.format)) requirePositions(facts);
    if (document) await requireSameDocument(request, document);
    if (wish.format === 'csv' && wish.table !== null) {
      if (wish.page === null)
        throw new AppError('invalid_request', 'table: needs `page`, the page on which it stands.');
      return this.#table(request, wish.page, wish.table);
    }
    return wish.format === 'pdf'
      ? this.#pdf(request, wish, document)
      : this.#text(request, { ...wish, format: wish.format }, facts);
  }

  /** A table is found before anything is sent: the page may not have it. */
  async #table(request: OcrRequest, page: number, table: number): Promise<OutputFile> {
    const bytes = Buffer.from(await joined(csvTable(this.#pages.of(request, page), table)));
    return {
      stream: Readable.from([bytes], { objectMode: false }),
      length: bytes.length,
      headers: headersOf(request.id, 'csv'),
    };
  }

  #text(
    request: OcrRequest,
    { format, page }: FileWish & { format: Exclude<FileFormat, 'pdf'> },
    facts: ReadFacts | undefined,
  ): OutputFile {
    const requestId = request.id;
    const provenance = { requestId, version: VERSION, engines: facts?.engines ?? [], dpi: dpiOf(request) };
    const parts = textFile(format, this.#pages.of(request, page), provenance);
    return { stream: Readable.from(parts, { objectMode: false }), length: null, headers: headersOf(requestId, format) };
  }

  async #pdf(request: OcrRequest, wish: FileWish, document: Buffer | null): Promise<OutputFile> {
    if (!document) {
      throw new AppError(
        'result_not_retained',
        'The document is not kept: send it to the same address with POST, and it comes back as a searchable PDF.',
      );
    }
    const held = await this.#held.take(request.accountId, wish.signal);
    try {
      const file = await this.#made(request, wish, document);
      file.stream.once('close', () => held.release());
      return file;
    } catch (error) {
      held.release();
      throw error;
    }
  }

  async #made(request: OcrRequest, wish: FileWish, document: Buffer): Promise<OutputFile> {
    using _permit = await this.#making.take(request.accountId, wish.signal);
    const pages = await this.#outputPages(request, wish);
    const {
      bytes,
      way,
      pages: written,
    } = await this.#pdfs.make(document, pages, {
      textLayer: wish.textLayer,
      dpi: dpiOf(request),
      party: request.accountId,
      signal: wish.signal,
      documentPages: request.pagesTotal,
    });
    const headers = { 'X-OCR-Output': way, 'X-OCR-Output-Pages': String(written) };
    return {
      stream: Readable.from(pieces(bytes), { objectMode: false }),
      length: bytes.length,
      headers: { ...headersOf(request.id, 'pdf'), ...headers },
    };
  }

  async #outputPages(request: OcrRequest, { page }: FileWish): Promise<OutputPage[]> {
    const pages: OutputPage[] = [];
    for await (const { page: number, lines } of this.#pages.of(request, page)) {
      if (pages.length === MOST_PDF_PAGES) {
        const most = `A searchable PDF is made of at most ${MOST_PDF_PAGES} pages.`;
        throw new AppError('unprocessable_entity', most);
      }
      pages.push({ page: number, lines });
    }
    return pages;
  }
}

/** What pages of its PDF are drawn at. */
function dpiOf({ effective }: OcrRequest): number {
  return effective.dpi ?? DEFAULT_DPI;
}

function requireText(request: OcrRequest, facts: ReadFacts | undefined, { page }: FileWish): void {
  if (!request.isFinished) {
    throw new AppError('invalid_request', 'The request has not ended: wait until its `status` is final.');
  }
  if (!isRead(request.status)) {
    throw new AppError('invalid_request', `The request ended as \`${request.status}\`: there is no text of it.`);
  }
  if (page !== null && !facts) throw new AppError('invalid_request', `page: ${page} is not a page of the request.`);
}

/** Of one page at least: a document on which nothing stands has no positions, and needs none. */
function requirePositions(facts: ReadFacts | undefined): void {
  if (!facts?.hasText || facts.hasLines) return;
  throw new AppError(
    'positions_missing',
    'Nobody knows where the text stands: send the request with `include`: ["words"], to an engine that tells positions.',
  );
}

function headersOf(requestId: string, format: FileFormat): Record<string, string> {
  const { extension, mediaType } = FILES[format];
  return {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${requestId}.${extension}"`,
  };
}
