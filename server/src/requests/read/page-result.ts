import type { PreprocessingStep } from '../../documents/formats/document.ts';
import type { Engine, PageReading, Reading } from '../../engines/model/engine.ts';
import type { StoredLayout } from '../layout/stored-layout.ts';

/** The result of one page on one engine. */
export interface PageResult {
  readonly number: number;
  readonly engine: Engine;
  readonly latencyMs: number;
  /** The call's answer; a call that read several pages answers for each of them. */
  readonly reading: Reading;
  readonly page: PageReading | null;
  /** Whether the page shows nothing: then it is right that no text came back. */
  readonly blank: boolean;
  readonly warnings: readonly string[];
  /** What was done to the picture so that it reads better; absent where nothing was. */
  readonly steps?: readonly PreprocessingStep[];
  /** The positions of its text on the page as a viewer shows it, where the request asks for pages. */
  readonly layout?: StoredLayout;
  /** The engine's positions cannot be true, and were left out. */
  readonly misfit?: true;
  /** How many words and tables are off the page by the engine's positions, where the others are believed. */
  readonly strays?: number;
}

/** The finished pages of a large request, and `record` to store further ones. */
export interface PageJournal {
  readonly finished: ReadonlyMap<number, PageResult>;
  record(result: PageResult): Promise<void>;
}
