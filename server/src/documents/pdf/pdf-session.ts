import type { TextPage } from '../formats/document.ts';
import { unreadable } from '../formats/unreadable.ts';
import { wordCount } from '../positions/pack-words.ts';
import { type Pdfium, type Pointer, startPdfium } from './library/pdfium.ts';
import type { CompiledModule } from './library/web-assembly.ts';
import { looksOf } from './page-colour.ts';
import { PdfDocument } from './pdf-document.ts';
import { DEFAULT_DPI, drawPage } from './pdf-draw.ts';
import { excerptOf } from './pdf-excerpt.ts';
import { inspectPdf } from './pdf-inspect.ts';
import { pageSize } from './pdf-objects.ts';
import { takePicture } from './pdf-picture.ts';
import type { DrawnPage, PdfResults, PdfSource, PdfTask, PdfWork } from './pdf-task.ts';
import { readTextPage } from './pdf-text.ts';

/** Milliseconds for which pages of text are read in one go. */
const TEXT_MS = 250;
/** Documents after which an instance is replaced: the remains of broken ones must not add up. */
const DOCUMENTS_EACH = 200;

/** One instance of PDFium with the document that it has open, because the next task is mostly about the same one. */
export class PdfSession {
  readonly #pdfium: Pdfium;
  readonly #maxBytes: number;
  #open: { readonly id: number; readonly document: PdfDocument; readonly needsRendering: boolean } | undefined;
  #documents = 0;

  private constructor(pdfium: Pdfium, maxBytes: number) {
    this.#pdfium = pdfium;
    this.#maxBytes = maxBytes;
  }

  static async start(code: CompiledModule, maxBytes: number): Promise<PdfSession> {
    return new PdfSession(await startPdfium(code, maxBytes), maxBytes);
  }

  /** Whether the instance should be replaced: its memory never shrinks, and it grew large or is old. */
  get isSpent(): boolean {
    return this.#documents >= DOCUMENTS_EACH || this.#pdfium.memory.buffer.byteLength > this.#maxBytes / 2;
  }

  perform(task: PdfTask): PdfResults[keyof PdfResults] {
    const { document, needsRendering } = this.#document(task.source, { anew: task.kind === 'excerpt' });
    switch (task.kind) {
      case 'inspect':
        return inspectPdf(this.#pdfium, document, { maxPages: task.maxPages, needsRendering });
      case 'text':
        return this.#textPages(document, task);
      case 'sizes':
        return task.pages.map((page) => document.withPage(page, (handle) => pageSize(this.#pdfium, handle)));
      case 'excerpt':
        return { kind: 'excerpt', file: this.#excerpt(document, task) };
      case 'page':
        return this.#drawn(document, task);
    }
  }

  /**
   * Reads as many of the pages as there is time for, at least one: others wait for the thread. From the page on with which there
   * would be more than `mostWords` words, pages have no positions.
   */
  #textPages(document: PdfDocument, { pages, mostWords }: PdfWork & { kind: 'text' }): TextPage[] {
    const untilMs = performance.now() + TEXT_MS;
    const read: TextPage[] = [];
    let left = mostWords;
    for (const number of pages) {
      const { words, ...page } = readTextPage(this.#pdfium, document, { number, positions: left > 0 });
      const isWithin = wordCount(words) <= left;
      left = isWithin ? left - wordCount(words) : 0;
      read.push(isWithin && words !== undefined ? { ...page, words } : page);
      if (performance.now() > untilMs) break;
    }
    return read;
  }

  /** Opens a document, or takes the open one. `anew`: opens it again, without what earlier tasks have flattened. */
  #document({ id, bytes }: PdfSource, { anew }: { anew: boolean }) {
    if (this.#open?.id === id && !anew) return this.#open;
    this.#open?.document[Symbol.dispose]();
    this.#open = undefined;
    this.#documents++;
    const document = new PdfDocument(this.#pdfium, bytes);
    // Looked for in the bytes: PDFium tells it only of documents that have form fields, too.
    const needsRendering = Buffer.from(bytes.buffer).includes('/NeedsRendering true');
    this.#open = { id, document, needsRendering };
    return this.#open;
  }

  #excerpt(document: PdfDocument, { pages, mostBytes }: PdfWork & { kind: 'excerpt' }) {
    return excerptOf(this.#pdfium, document, { pages, mostBytes, maxPictureBytes: this.#maxBytes / 2 });
  }

  #drawn(document: PdfDocument, work: PdfWork & { kind: 'page' }): DrawnPage {
    const drawn = document.withPage(work.page, (page) => this.#takeOrDraw(page, work));
    if (!drawn) throw unreadable(`Page ${work.page} of the PDF is damaged and cannot be opened.`);
    return drawn;
  }

  #takeOrDraw(page: Pointer, { dpi, maxPixels, grey }: PdfWork & { kind: 'page' }): DrawnPage {
    const taken = dpi === null ? takePicture(this.#pdfium, page, maxPixels) : null;
    const size = pageSize(this.#pdfium, page);
    if (taken) return { kind: 'taken', size, ...taken };
    const options = { dpi: dpi ?? DEFAULT_DPI, maxPixels, maxPictureBytes: this.#maxBytes / 2, grey };
    const drawing = drawPage(this.#pdfium, page, options);
    return { kind: 'drawn', size, looks: looksOf(drawing), ...drawing };
  }
}
