import { type FoundTable, findTablesInTurns } from './find-tables.ts';
import { plainTextInTurns } from './plain-text.ts';

/** What is looked for in a text, and what comes of it. */
export interface TextResults {
  /** The text without its Markdown. */
  readonly plain: string;
  readonly tables: FoundTable[];
}

/** In steps: each yields now and then. */
export const TEXT_WORK: { readonly [K in keyof TextResults]: (text: string) => Generator<void, TextResults[K]> } = {
  plain: plainTextInTurns,
  tables: findTablesInTurns,
};

/** Of a text that nobody can look through: it has no Markdown, and no tables. */
export const AS_IT_IS: { readonly [K in keyof TextResults]: (text: string) => TextResults[K] } = {
  plain: (text) => text,
  tables: () => [],
};

/** For a thread. */
export interface TextTask {
  readonly kind: keyof TextResults;
  readonly text: string;
}
