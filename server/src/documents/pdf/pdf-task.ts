import type { PageSize, TextPage } from '../formats/document.ts';
import type { Drawing } from './pdf-draw.ts';
import type { PdfFacts } from './pdf-inspect.ts';
import type { TakenPicture } from './pdf-picture.ts';

/** A document that several tasks share: threads read the same memory, and recognise it by its number. */
export interface PdfSource {
  readonly id: number;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

/** A task of a PDF thread. Pages are counted from 1. */
export type PdfTask = { readonly source: PdfSource } & PdfWork;

export type PdfWork =
  | { readonly kind: 'inspect'; readonly maxPages: number }
  | { readonly kind: 'text'; readonly pages: readonly number[]; readonly mostWords: number }
  | { readonly kind: 'sizes'; readonly pages: readonly number[] }
  /** `mostBytes`: of the excerpt. */
  | { readonly kind: 'excerpt'; readonly pages: readonly number[]; readonly mostBytes: number }
  | {
      readonly kind: 'page';
      readonly page: number;
      /** The resolution; null takes that of a scan as it is, 300 otherwise. */
      readonly dpi: number | null;
      readonly maxPixels: number;
      readonly grey: boolean;
    };

export interface PdfResults {
  readonly inspect: PdfFacts;
  readonly text: readonly TextPage[];
  /** Sizes in the order of the pages asked for; null for a page that cannot be opened. */
  readonly sizes: readonly (PageSize | null)[];
  readonly excerpt: Excerpt;
  readonly page: DrawnPage;
}

/** A PDF of some pages; null where it is not certain that they look as they do in the document. */
interface Excerpt {
  readonly kind: 'excerpt';
  readonly file: Uint8Array<ArrayBuffer> | null;
}

export type DrawnPage =
  | ({ readonly kind: 'taken'; readonly size: PageSize } & TakenPicture)
  | ({ readonly kind: 'drawn'; readonly size: PageSize; readonly looks: Looks } & Drawing);

/** Properties of pixels that decide how they are packed. */
export interface Looks {
  readonly coloured: boolean;
  /** Whether many values lie between black and white: a photograph or a grey scan rather than lines and letters. */
  readonly photographic: boolean;
}

export type PdfAnswer =
  | { readonly kind: 'done'; readonly value: PdfResults[keyof PdfResults] }
  /** The document is at fault; `message` is for the caller. */
  | { readonly kind: 'refused'; readonly message: string };

/** The name of the error with which a thread ends when PDFium broke over a document. */
export const BROKEN = 'PdfBroken';

/** The data that a PDF thread is started with. */
export interface PdfThreadData {
  readonly pdfium: object;
  readonly maxBytes: number;
}
