import sharp from 'sharp';
import { isBlank } from './blank.ts';
import type { Format, Inspection, PagePicture, TextPage } from './document.ts';
import { normalise } from './normalise.ts';
import { DEFAULT_DPI } from './pdf-draw.ts';
import { packPage } from './pdf-page.ts';
import type { PdfSource } from './pdf-task.ts';
import { PdfThreads } from './pdf-threads.ts';
import { PictureFiles } from './picture-file.ts';
import { type PictureFormat, readHeader } from './read-header.ts';
import { sniff } from './sniff.ts';
import { unreadable } from './unreadable.ts';
import { unsupported } from './unsupported.ts';

export interface DocumentsOptions {
  /** PDF threads; the first is started by the first PDF. */
  readonly threads: number;
  /** Pixels of the largest picture that is decoded. */
  readonly maxPixels: number;
  /** Pixels of the largest page that an engine receives: larger ones are scaled down, with a warning. */
  readonly maxSentPixels: number;
  readonly maxPages: number;
  /** Of one task on a PDF: opening it, drawing a page, the text of some pages. */
  readonly pdfTimeoutMs: number;
  /** Of one PDF thread. */
  readonly memoryMb: number;
}

export interface PictureOptions {
  /** Of a rendered PDF page; null leaves it to us. */
  readonly dpi: number | null;
  readonly signal?: AbortSignal | undefined;
  /** Nothing of the original bytes gets through: the picture is decoded and encoded again, for use on this machine. */
  readonly decoded?: boolean | undefined;
  /** A decoded picture comes as an open file. */
  readonly asFile?: boolean | undefined;
}

// Every document is another one: what sharp would keep of them is never asked for again.
sharp.cache(false);

/** So many pages are read in one go: a long document leaves gaps for the others, and keeps all threads busy. */
const PAGES_AT_ONCE = 20;

/** Opens documents of strangers. Whatever is wrong with one is `unprocessable_entity` with a plain reason. */
export class Documents implements AsyncDisposable {
  readonly #options: DocumentsOptions;
  readonly #threads: PdfThreads;
  readonly #files = new PictureFiles();
  readonly #sources = new WeakMap<Buffer, PdfSource>();
  #lastSource = 0;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    const { threads, pdfTimeoutMs: timeoutMs, memoryMb } = options;
    this.#threads = new PdfThreads({ threads, timeoutMs, memoryMb });
  }

  /** Judges a document by its content, and counts its pages. */
  async inspect(bytes: Buffer, signal?: AbortSignal): Promise<Inspection> {
    const format = sniff(bytes);
    if (!format) throw unsupported(bytes);
    const facts = format === 'pdf' ? await this.#inspectPdf(bytes, signal) : await this.#inspectPicture(bytes, format);
    const { maxPages } = this.#options;
    if (facts.pages > maxPages) throw unreadable(`The document has ${facts.pages} pages, the limit is ${maxPages}.`);
    return { format, ...facts };
  }

  /** One page, counted from 1, as every engine receives it. */
  async picture(bytes: Buffer, format: Format, page: number, options: PictureOptions): Promise<PagePicture> {
    const { maxPixels, maxSentPixels } = this.#options;
    const { decoded = false, asFile = false, dpi, signal } = options;
    const limits = { decoded, files: asFile ? this.#files : null, maxPixels, maxSentPixels };
    signal?.throwIfAborted();
    if (format !== 'pdf') return normalise(bytes, format, { ...limits, frame: page });
    const work = { kind: 'page', page, dpi, maxPixels: maxSentPixels, grey: decoded } as const;
    const drawn = await this.#threads.run({ source: this.#source(bytes), ...work }, signal);
    return packPage(drawn, { ...limits, dpi: dpi ?? DEFAULT_DPI });
  }

  /** The own text of pages of a PDF, in the order asked for, each judged whether it can be trusted. */
  async text(bytes: Buffer, pages: readonly number[], signal?: AbortSignal): Promise<TextPage[]> {
    const source = this.#source(bytes);
    const read: TextPage[][] = [];
    const waiting = parts(pages);
    const readOn = async () => {
      // A loop that throws ends the generator, and with it the others.
      for (const [index, part] of waiting) {
        read[index] = [...(await this.#threads.run({ source, kind: 'text', pages: part }, signal))];
      }
    };
    await Promise.all(Array.from({ length: this.#options.threads }, readOn));
    return read.flat();
  }

  /** Whether all that stands in a PDF stands in pictures. Ends at the first page with a text layer. */
  async isImageOnly(bytes: Buffer, pages: number, signal?: AbortSignal): Promise<boolean> {
    let scanned = false;
    for (let first = 1; first <= pages; first += PAGES_AT_ONCE) {
      const part = Array.from({ length: Math.min(PAGES_AT_ONCE, pages - first + 1) }, (_, i) => first + i);
      const kinds = (await this.text(bytes, part, signal)).map(({ kind }) => kind);
      if (kinds.includes('text')) return false;
      scanned ||= kinds.includes('scanned');
    }
    return scanned;
  }

  /** Whether a page shows nothing at all. */
  async isBlank(picture: PagePicture): Promise<boolean> {
    return isBlank(picture);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
    await this.#files[Symbol.asyncDispose]();
  }

  async #inspectPdf(bytes: Buffer, signal: AbortSignal | undefined): Promise<Omit<Inspection, 'format'>> {
    const { maxPages } = this.#options;
    return this.#threads.run({ source: this.#source(bytes), kind: 'inspect', maxPages }, signal);
  }

  async #inspectPicture(bytes: Buffer, format: PictureFormat): Promise<Omit<Inspection, 'format'>> {
    const { frames } = await readHeader(bytes, { format, frame: 1, maxPixels: this.#options.maxPixels });
    return { pages: frames, warnings: [] };
  }

  /** The same bytes are copied once for all threads, and keep their number for as long as someone holds them. */
  #source(bytes: Buffer): PdfSource {
    const known = this.#sources.get(bytes);
    if (known) return known;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const source = { id: ++this.#lastSource, bytes: shared };
    this.#sources.set(bytes, source);
    return source;
  }
}

function* parts(pages: readonly number[]): Generator<[index: number, part: readonly number[]]> {
  for (let index = 0; index * PAGES_AT_ONCE < pages.length; index++) {
    yield [index, pages.slice(index * PAGES_AT_ONCE, (index + 1) * PAGES_AT_ONCE)];
  }
}
