import type { Format, Inspection, PagePicture, PageSize, ShownPage, TextPage } from './formats/document.ts';
import { sniff } from './formats/sniff.ts';
import { unreadable } from './formats/unreadable.ts';
import { unsupported } from './formats/unsupported.ts';
import type { DocumentClient } from './limits/document-client.ts';
import { DEFAULT_DPI } from './pdf/pdf-draw.ts';
import { packPage } from './pdf/pdf-page.ts';
import type { DrawnPage, PdfSource } from './pdf/pdf-task.ts';
import { PdfThreads } from './pdf/pdf-threads.ts';
import { PictureFiles } from './pictures/picture-file.ts';
import { wordCount } from './positions/pack-words.ts';
import { PictureProcesses } from './processes/picture-processes.ts';
import { Pictures } from './processes/pictures.ts';
import { WordBudget } from './word-budget.ts';

export interface DocumentsOptions {
  /** PDF threads, and processes for pictures, that one account may use at once. They are started when they are needed. */
  readonly threads: number;
  /** Pixels of the largest picture that is decoded. */
  readonly maxPixels: number;
  /** Pixels of the largest page that an engine receives: larger ones are scaled down, with a warning. */
  readonly maxSentPixels: number;
  readonly maxPages: number;
  /** Most bytes of a document that is sent on to an engine; no limit unless given. */
  readonly maxDocumentBytes?: number;
  /** Most time for one task: drawing a page, the text of some pages, decoding a picture. */
  readonly pdfTimeoutMs: number;
  /** Memory of one PDF thread. */
  readonly memoryMb: number;
  /** Memory of all pictures that are decoded at once, in bytes. */
  readonly decodingBytes?: number;
}

export interface PictureOptions extends DocumentClient {
  /** Resolution of a rendered PDF page; null leaves it to this module. */
  readonly dpi: number | null;
  /**
   * Whether the picture is decoded and encoded again, so that nothing of the original bytes gets through: for use on this
   * machine.
   */
  readonly decoded?: boolean | undefined;
  /** Whether a transparent picture may be laid on black where white would hide its letters; true unless given. */
  readonly preprocess?: boolean | undefined;
  /** Whether a decoded picture comes as an open file. */
  readonly asFile?: boolean | undefined;
}

export interface TextOptions extends DocumentClient {
  /** Whether the answer has the positions of the text, which cost more for each character than the text itself. */
  readonly positions?: boolean | undefined;
}

/**
 * About how many words of a document are located; the pages after them have no positions. These are more than a thousand pages of
 * a book, and can still be stored in one statement.
 */
const MOST_PLACED_WORDS = 500_000;

/** Memory for decoding, in bytes, unless given. */
const DECODING_BYTES = 1024 ** 3;

/**
 * How much larger than its document an excerpt may be: what all pages have in common is in it, too, and may be packed less well
 * there.
 */
const LARGEST_EXCERPT = { times: 1.2, bytes: 4096 };

/** Pages that are read in one go: a long document leaves gaps for others, and keeps all threads busy. */
const PAGES_AT_ONCE = 20;

/** Opens documents of strangers. Throws `unprocessable_entity`, with a plain reason, for whatever is wrong with one. */
export class Documents implements AsyncDisposable {
  readonly #options: DocumentsOptions;
  readonly #threads: PdfThreads;
  readonly #files = new PictureFiles();
  readonly #processes: PictureProcesses;
  readonly #pictures: Pictures;
  readonly #sources = new WeakMap<Buffer, PdfSource>();
  #lastSource = 0;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    const { threads, pdfTimeoutMs: timeoutMs, memoryMb } = options;
    this.#threads = new PdfThreads({ threads, timeoutMs, memoryMb });
    const { decodingBytes: roomBytes = DECODING_BYTES } = options;
    this.#processes = new PictureProcesses({ processes: threads, timeoutMs, roomBytes });
    this.#pictures = new Pictures(this.#processes, this.#files, options);
  }

  /** Judges a document by its content, and counts its pages. */
  async inspect(bytes: Buffer, client: DocumentClient = {}): Promise<Inspection> {
    const format = sniff(bytes);
    if (!format) throw unsupported(bytes);
    const facts =
      format === 'pdf' ? await this.#inspectPdf(bytes, client) : await this.#inspectPicture(bytes, format, client);
    const { maxPages } = this.#options;
    if (facts.pages > maxPages) throw unreadable(`The document has ${facts.pages} pages, the limit is ${maxPages}.`);
    return { format, ...facts };
  }

  /** The picture of one page, counted from 1, as every engine receives it. */
  async picture(bytes: Buffer, format: Format, page: number, options: PictureOptions): Promise<PagePicture> {
    const { maxSentPixels } = this.#options;
    const { decoded = false, asFile = false, preprocess, dpi, signal } = options;
    signal?.throwIfAborted();
    if (format !== 'pdf')
      return this.#pictures.normalise(bytes, format, { frame: page, decoded, asFile, preprocess }, options);
    const work = { kind: 'page', page, dpi, maxPixels: maxSentPixels, grey: decoded } as const;
    const drawn = await this.#threads.run(() => this.#source(bytes), work, options);
    if (drawn.kind === 'taken') {
      // The PDF thread has made every PNG among them itself.
      const wish = { frame: 1, decoded: decoded && drawn.format !== 'png', asFile, dpi: drawn.dpi };
      const taken = await this.#pictures.normalise(Buffer.from(drawn.file.buffer), drawn.format, wish, options);
      return ofPage(taken, { ...inPoints(drawn), placement: drawn.placement });
    }
    const files = asFile ? this.#files : null;
    const packed = await packPage(drawn, { decoded, files, maxSentPixels, dpi: dpi ?? DEFAULT_DPI });
    return ofPage(packed, inPoints(drawn));
  }

  /** The text layers of pages of a PDF, in the order asked for, each judged whether it can be trusted. */
  async text(bytes: Buffer, pages: readonly number[], client: TextOptions = {}): Promise<TextPage[]> {
    const { positions = false } = client;
    const source = () => this.#source(bytes);
    const read: TextPage[][] = [];
    const waiting = parts(pages);
    const wordBudget = new WordBudget(MOST_PLACED_WORDS, this.#options.threads);
    const readOn = async () => {
      // A loop that throws closes the generator, so the others end, too.
      for (const [index, part] of waiting) {
        const done: TextPage[] = [];
        while (done.length < part.length) {
          const share = wordBudget.take();
          const work = { kind: 'text', pages: part.slice(done.length), mostWords: positions ? share : 0 } as const;
          const found = await this.#threads.run(source, work, client);
          wordBudget.used(
            found.reduce((sum, { words }) => sum + wordCount(words), 0),
            share,
          );
          done.push(...found);
        }
        read[index] = done;
      }
    };
    await Promise.all(Array.from({ length: this.#options.threads }, readOn));
    return read.flat();
  }

  /** The sizes of pages of a PDF as they are shown, in the order asked for; null for a page that cannot be opened. */
  async pageSizes(
    bytes: Buffer,
    pages: readonly number[],
    client: DocumentClient = {},
  ): Promise<readonly (PageSize | null)[]> {
    return this.#threads.run(() => this.#source(bytes), { kind: 'sizes', pages }, client);
  }

  /**
   * Makes a PDF of these pages, in this order; null where that is not possible, or it would be much larger than the document.
   * Throws the signal's reason only.
   */
  async excerpt(bytes: Buffer, pages: readonly number[], client: DocumentClient = {}): Promise<Buffer | null> {
    const { maxDocumentBytes = Number.POSITIVE_INFINITY } = this.#options;
    const larger = Math.min(bytes.length * LARGEST_EXCERPT.times + LARGEST_EXCERPT.bytes, maxDocumentBytes);
    const work = { kind: 'excerpt', pages, mostBytes: Math.max(bytes.length, larger) } as const;
    try {
      const { file } = await this.#threads.run(() => this.#source(bytes), work, client);
      return file && Buffer.from(file.buffer);
    } catch {
      client.signal?.throwIfAborted();
      return null;
    }
  }

  /** Turns a picture into black and white, without specks and shadows; `radius` is about a letter's height. */
  async clean(
    picture: Pick<PagePicture, 'bytes' | 'width' | 'height'>,
    radius: number,
    client: DocumentClient = {},
  ): Promise<Buffer> {
    return this.#pictures.clean(picture, radius, client);
  }

  /** Whether a page shows nothing at all. */
  async isBlank(picture: PagePicture, client: DocumentClient = {}): Promise<boolean> {
    return this.#pictures.isBlank(picture, client);
  }

  /** Removes the files that killed processes have left in the system's temporary folder. */
  sweep(): Promise<void> {
    return this.#files.sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
    await this.#processes[Symbol.asyncDispose]();
    await this.#files[Symbol.asyncDispose]();
  }

  async #inspectPdf(bytes: Buffer, client: DocumentClient): Promise<Omit<Inspection, 'format'>> {
    const { maxPages } = this.#options;
    return this.#threads.run(() => this.#source(bytes), { kind: 'inspect', maxPages }, client);
  }

  async #inspectPicture(
    bytes: Buffer,
    format: Exclude<Format, 'pdf'>,
    client: DocumentClient,
  ): Promise<Omit<Inspection, 'format'>> {
    const { frames } = await this.#pictures.header(bytes, { format, frame: 1 }, client);
    return { pages: frames, warnings: [] };
  }

  /** The shared copy of a document, made once for all threads. It keeps its number for as long as somebody holds the bytes. */
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

/** Adds the shown page to a picture, which may be an open file. */
function ofPage(picture: PagePicture, page: ShownPage): PagePicture {
  return Object.assign(picture, { page });
}

function inPoints({ size, dpi }: DrawnPage): ShownPage {
  return { width: size.width, height: size.height, unit: 'point', dpi: Math.max(1, Math.round(dpi)) };
}

function* parts(pages: readonly number[]): Generator<[index: number, part: readonly number[]]> {
  for (let index = 0; index * PAGES_AT_ONCE < pages.length; index++) {
    yield [index, pages.slice(index * PAGES_AT_ONCE, (index + 1) * PAGES_AT_ONCE)];
  }
}
