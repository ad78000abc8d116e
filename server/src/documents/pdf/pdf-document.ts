import type { AppError } from '../../platform/errors.ts';
import { unreadable } from '../formats/unreadable.ts';
import { flattenAnnotations } from './annotations/flatten-annotations.ts';
import { memoryOf, type Pdfium, type Pointer, withMemory } from './library/pdfium.ts';

const ERROR = { password: 4, security: 5 };
/** FORMTYPE_XFA_FULL: a form that the reader lays out itself, so that the pages only stand in for it. */
const DYNAMIC_XFA = 2;
/** FORMTYPE_NONE. */
const NO_FORM = 0;
const SIZE_BYTES = 8;
const INT_BYTES = 4;

/** A PDF that is open in one instance of PDFium. Throws `unprocessable_entity` when it cannot be opened. */
export class PdfDocument implements Disposable {
  readonly #pdfium: Pdfium;
  readonly #bytes: Pointer;
  readonly #handle: Pointer;

  constructor(pdfium: Pdfium, bytes: Uint8Array) {
    this.#pdfium = pdfium;
    this.#bytes = pdfium.malloc(bytes.length);
    if (this.#bytes === 0) throw unreadable('The PDF takes too much memory to open.');
    memoryOf(pdfium).set(bytes, this.#bytes);
    this.#handle = pdfium.FPDF_LoadMemDocument(this.#bytes, bytes.length, 0);
    if (this.#handle) return;
    const code = pdfium.FPDF_GetLastError();
    pdfium.free(this.#bytes);
    throw refusal(code);
  }

  /** The number of pages that the document claims: it can be wrong, and below 0. */
  get claimedPages(): number {
    return this.#pdfium.FPDF_GetPageCount(this.#handle);
  }

  get needsRepair(): boolean {
    return this.#pdfium.FPDF_DocumentHasValidCrossReferenceTable(this.#handle) === 0;
  }

  get isDynamicXfa(): boolean {
    return this.#pdfium.FPDF_GetFormType(this.#handle) === DYNAMIC_XFA;
  }

  get hasForm(): boolean {
    return this.#pdfium.FPDF_GetFormType(this.#handle) !== NO_FORM;
  }

  /** Whether the document has this page, counted from 1; its content is not looked at. */
  has(page: number): boolean {
    return withMemory(this.#pdfium, SIZE_BYTES, (size) => {
      return this.#pdfium.FPDF_GetPageSizeByIndexF(this.#handle, page - 1, size) !== 0;
    });
  }

  /** Opens one page, counted from 1, as it is shown, for the time of `use`; null where it cannot be opened. */
  withPage<T>(page: number, use: (handle: Pointer) => T): T | null {
    const handle = this.#load(page);
    if (!handle || !flattenAnnotations(this.#pdfium, handle)) return this.#lend(handle, use);
    this.#pdfium.FPDF_ClosePage(handle);
    return this.#lend(this.#load(page), use);
  }

  /** Opens one page as it lies in the document, without its annotations becoming a part of it; null where it cannot be opened. */
  withPlainPage<T>(page: number, use: (handle: Pointer) => T): T | null {
    return this.#lend(this.#load(page), use);
  }

  /** Copies pages, in this order, into a new document for the time of `use`; null where one cannot be copied. */
  withCopyOf<T>(pages: readonly number[], use: (handle: Pointer) => T): T | null {
    const copy = this.#pdfium.FPDF_CreateNewDocument();
    if (!copy) return null;
    try {
      return this.#copyTo(copy, pages) ? use(copy) : null;
    } finally {
      this.#pdfium.FPDF_CloseDocument(copy);
    }
  }

  #load(page: number): Pointer {
    return this.#pdfium.FPDF_LoadPage(this.#handle, page - 1);
  }

  /** Closes a page after its use; null where there is none. */
  #lend<T>(page: Pointer, use: (handle: Pointer) => T): T | null {
    if (!page) return null;
    try {
      return use(page);
    } finally {
      this.#pdfium.FPDF_ClosePage(page);
    }
  }

  #copyTo(copy: Pointer, pages: readonly number[]): boolean {
    return withMemory(this.#pdfium, INT_BYTES * pages.length, (indices) => {
      new Int32Array(this.#pdfium.memory.buffer, indices, pages.length).set(pages.map((page) => page - 1));
      return this.#pdfium.FPDF_ImportPagesByIndex(copy, this.#handle, indices, pages.length, 0) !== 0;
    });
  }

  [Symbol.dispose](): void {
    this.#pdfium.FPDF_CloseDocument(this.#handle);
    this.#pdfium.free(this.#bytes);
  }
}

function refusal(code: number): AppError {
  if (code === ERROR.password) return unreadable('The PDF is password-protected. Send it without a password.');
  if (code === ERROR.security) return unreadable('The PDF is protected in a way that is not supported.');
  return unreadable('The PDF is corrupt, or has no pages: it cannot be opened.');
}
