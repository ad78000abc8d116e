import type { PackedTable, StoredLayout } from '../layout/stored-layout.ts';
import type { TextLine } from '../layout/unpack-lines.ts';

/** A page of a result, as files are made of it. */
export interface ReadPage {
  /** Number in the document, from 1. */
  readonly page: number;
  readonly engine: string;
  /** Null for a page that adds nothing to the result: skipped, failed, or read together with another one. */
  readonly text: string | null;
  /** Where its text stands; null where that is not known. */
  readonly layout: Omit<StoredLayout, 'lines' | 'tables'> | null;
  readonly lines: readonly TextLine[];
  /** Those that the engine told apart from the text. */
  readonly tables?: readonly PackedTable[] | null;
}

/** What the files say of their making. */
export interface Provenance {
  readonly requestId: string;
  readonly version: string;
  /** Engines that read the pages. */
  readonly engines: readonly string[];
  /** That the request asks for. Of pages of PDFs that were not drawn: pixels are counted by it. */
  readonly dpi: number;
}
