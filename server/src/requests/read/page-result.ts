import type { PreprocessingStep } from '../../documents/formats/document.ts';
import type { Engine, PageReading, Reading } from '../../engines/model/engine.ts';
import type { StoredLayout } from '../layout/stored-layout.ts';

/** What became of one page on one engine. */
export interface PageResult {
  readonly number: number;
  readonly engine: Engine;
  readonly latencyMs: number;
  /** The call's answer; a call that read several pages answers for each of them. */
  readonly reading: Reading;
  readonly page: PageReading | null;
  /** A page without a mark on it: that no text came back is right. */
  readonly blank: boolean;
  readonly warnings: readonly string[];
  /** What was done to the picture so that it reads better; absent where nothing was. */
  readonly steps?: readonly PreprocessingStep[];
  /** Where its text stands on the page as it is shown, where the request asks for pages. */
  readonly layout?: StoredLayout;
  /** The engine told where its text stands, and it cannot be true. */
  readonly misfit?: true;
  /** How many words and tables it told to be off the page, where the others are believed. */
  readonly strays?: number;
}

/** Pages that are finished, and where others are written down when they are. */
export interface PageJournal {
  readonly finished: ReadonlyMap<number, PageResult>;
  record(result: PageResult): Promise<void>;
}
