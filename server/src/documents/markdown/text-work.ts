import { type FoundTable, findTablesInTurns } from './find-tables.ts';
import { plainTextInTurns } from './plain-text.ts';

/** The results of looking through a text, by kind. */
export interface TextResults {
  /** The text without its Markdown. */
  readonly plain: string;
  readonly tables: FoundTable[];
}

/** The work by kind, in steps: each yields now and then. */
export const TEXT_WORK: { readonly [K in keyof TextResults]: (text: string) => Generator<void, TextResults[K]> } = {
  plain: plainTextInTurns,
  tables: findTablesInTurns,
};

/** The result for a text that is too much to be looked through: it counts as having no Markdown, and no tables. */
export const AS_IT_IS: { readonly [K in keyof TextResults]: (text: string) => TextResults[K] } = {
  plain: (text) => text,
  tables: () => [],
};

/** The task for a thread. */
export interface TextTask {
  readonly kind: keyof TextResults;
  readonly text: string;
}
