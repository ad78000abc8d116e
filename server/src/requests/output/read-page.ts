import type { TextLine } from '../layout/pack-layout.ts';
import type { StoredLayout } from '../layout/stored-layout.ts';

/** A page of a result, as files are made of it. */
export interface ReadPage {
  /** Number in the document, from 1. */
  readonly page: number;
  readonly engine: string;
  /** Null for a page that adds nothing to the result: skipped, failed, or read together with another one. */
  readonly text: string | null;
  /** Where its text stands; null where that is not known. */
  readonly layout: Omit<StoredLayout, 'lines'> | null;
  readonly lines: readonly TextLine[];
}

/** What the files say of their making. */
export interface Provenance {
  readonly requestId: string;
  readonly version: string;
  /** Engines that read the pages. */
  readonly engines: readonly string[];
}
