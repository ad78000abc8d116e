import { AppError } from '../../platform/errors.ts';
import type { Format, PagePicture } from '../formats/document.ts';
import { unreadable } from '../formats/unreadable.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import { isSameText, looksTheSame } from './compare-pages.ts';
import type { DocumentReader } from './document-reader.ts';
import type { OutputPage } from './output-page.ts';
import type { RebuiltPage } from './output-task.ts';
import type { OutputThreads } from './output-threads.ts';

export interface SearchablePdfOptions extends DocumentClient {
  /**
   * Pages that get a layer. `missing` leaves out those that have a text of their own, trusted or left by an earlier recognition.
   */
  readonly textLayer: 'missing' | 'all';
  /** Resolution at which pages are drawn where the file has to be made anew. */
  readonly dpi: number;
  /** Number of pages of the document that was read, where that is known. */
  readonly documentPages?: number | null;
  readonly signal: AbortSignal;
}

export interface SearchablePdf {
  readonly bytes: Uint8Array;
  /** How it was made. `extended`: the caller's file with an update appended. `rebuilt`: anew, from pictures of its pages. */
  readonly way: 'extended' | 'rebuilt';
  /** Number of pages that got a layer. */
  readonly pages: number;
}

const POINTS_PER_INCH = 72;
/** Resolution of pictures that do not tell theirs: photographs become about as large as the paper that they show. */
const ASSUMED_DPI = 300;
/** Most points of a side of a PDF's page. */
const LONGEST_SIDE = 14_400;
/** Most bytes of all pictures of a document that is made anew. */
const MOST_PICTURE_BYTES = 256 * 1024 * 1024;
const MOST_REBUILT_PAGES = 1000;
/** Longest time for one PDF, with all that is tried. */
const MAKING_MS = 240_000;

/** Makes PDFs with an invisible layer of the text that was read. */
export class SearchablePdfs {
  readonly #documents: DocumentReader;
  readonly #threads: OutputThreads;

  constructor(documents: DocumentReader, threads: OutputThreads) {
    this.#documents = documents;
    this.#threads = threads;
  }

  /**
   * Makes a searchable PDF. Throws `unprocessable_entity` for a document that cannot be opened or takes too long,
   * `invalid_request` for one with another number of pages, and the signal's reason when that aborts.
   */
  async make(bytes: Buffer, pages: readonly OutputPage[], options: SearchablePdfOptions): Promise<SearchablePdf> {
    const late = AbortSignal.timeout(MAKING_MS);
    try {
      return await this.#make(bytes, pages, { ...options, signal: AbortSignal.any([options.signal, late]) });
    } catch (error) {
      options.signal.throwIfAborted();
      throw late.aborted ? unreadable('The document takes too long for a searchable PDF.', error) : error;
    }
  }

  async #make(bytes: Buffer, pages: readonly OutputPage[], options: SearchablePdfOptions): Promise<SearchablePdf> {
    const { format, pages: documentPages, needsRepair } = await this.#documents.inspect(bytes, options);
    if ((options.documentPages ?? documentPages) !== documentPages) {
      throw new AppError(
        'invalid_request',
        `The document has ${documentPages} pages, that of the request ${options.documentPages}.`,
      );
    }
    if (format !== 'pdf') return this.#rebuilt(bytes, pages, { ...options, format, documentPages });
    const wanted = options.textLayer === 'all' ? pages : await this.#withoutText(bytes, pages, options);
    if (wanted.every(({ lines }) => lines.length === 0)) return { bytes, way: 'extended', pages: 0 };
    // A file with a wrong table of objects is not extended: the update would lead readers to that table who would have made their
    // own.
    const extended = needsRepair ? null : await this.#extended(bytes, wanted, { ...options, documentPages });
    // Pages that become pictures lose their own text, so every page gets a layer: there is no text beside which it would be a
    // second one.
    return extended ?? this.#rebuilt(bytes, pages, { ...options, format, documentPages });
  }

  async #withoutText(bytes: Buffer, pages: readonly OutputPage[], client: DocumentClient): Promise<OutputPage[]> {
    const numbers = pages.map(({ page }) => page);
    const texts = await this.#documents.text(bytes, numbers, client);
    const own = new Set(texts.filter(({ kind, isRecognised }) => kind === 'text' || isRecognised).map((t) => t.number));
    return pages.filter(({ page }) => !own.has(page));
  }

  /** Extends the file; null where that is not possible, or where the layer is not found or not invisible afterwards. */
  async #extended(
    bytes: Buffer,
    pages: readonly OutputPage[],
    options: SearchablePdfOptions & { documentPages: number },
  ): Promise<SearchablePdf | null> {
    const { documentPages, signal } = options;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const answer = await this.#threads
      .run({ kind: 'extend', bytes: shared, pages, documentPages }, signal)
      .catch(() => signal.throwIfAborted());
    if (answer?.kind !== 'done') return null;
    const made = Buffer.from(answer.bytes.buffer);
    const check = { before: bytes, after: made, pages: pages.filter(({ page }) => answer.pages.includes(page)) };
    const isSound =
      (await isSameText(this.#documents, check, options)) && (await looksTheSame(this.#documents, check, options));
    return isSound ? { bytes: made, way: 'extended', pages: answer.pages.length } : null;
  }

  async #rebuilt(
    bytes: Buffer,
    pages: readonly OutputPage[],
    options: SearchablePdfOptions & { format: Format; documentPages: number },
  ): Promise<SearchablePdf> {
    const { format, documentPages, dpi, party, signal } = options;
    if (documentPages > MOST_REBUILT_PAGES) {
      throw unreadable('The document has too many pages for a PDF of its page pictures.');
    }
    const rebuilt: RebuiltPage[] = [];
    let size = 0;
    for (let number = 1; number <= documentPages; number++) {
      const wish = { dpi: format === 'pdf' ? dpi : null, party, signal };
      const picture = await this.#documents.picture(bytes, format, number, wish);
      size += picture.bytes.length;
      if (size > MOST_PICTURE_BYTES) throw unreadable('The document is too large for a PDF of its page pictures.');
      rebuilt.push(
        pageOf(
          picture,
          pages.find(({ page }) => page === number),
        ),
      );
    }
    const answer = await this.#threads.run({ kind: 'rebuild', pages: rebuilt }, signal);
    if (answer.kind !== 'done') throw unreadable('No searchable PDF can be made of the document.', answer.message);
    return { bytes: answer.bytes, way: 'rebuilt', pages: answer.pages.length };
  }
}

function pageOf(picture: PagePicture, read: OutputPage | undefined): RebuiltPage {
  const { bytes, mimeType, width, height, decoder } = picture;
  const dpi = Math.max(picture.dpi ?? ASSUMED_DPI, (Math.max(width, height) * POINTS_PER_INCH) / LONGEST_SIDE);
  const points = (pixels: number) => Math.round((pixels * POINTS_PER_INCH * 100) / dpi) / 100;
  const size = { width: points(width), height: points(height) };
  return { picture: bytes, mimeType, isOurs: !decoder, ...size, lines: read?.lines ?? [] };
}
