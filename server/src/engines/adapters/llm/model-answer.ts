import { hasTextBesidesImages } from '../../../documents/markdown/image-markup.ts';
import type { Ending, EngineInput, PageReading, Reading, Usage } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';
import { cleanAnswer } from './clean-answer.ts';
import { splitPages } from './page-marks.ts';
import { isProseRefusal } from './prose-refusal.ts';

/** The reason why a model stopped, in one vocabulary for all providers. */
export type Finish =
  /** The model was done, or the provider gave no reason. */
  | { readonly kind: 'done' }
  | { readonly kind: 'limit' }
  /** `words` are the model's own; a filter has none. */
  | { readonly kind: 'refused'; readonly words: string | null }
  | { readonly kind: 'broken'; readonly message: string }
  /** A reason that this adapter does not know. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A model's whole answer, in one form for all providers. */
export interface ModelAnswer {
  readonly text: string;
  readonly finish: Finish;
  readonly usage: Usage | null;
  readonly billed: Reading['billed'];
  readonly providerRequestId: string | null;
  readonly modelVersion: string | null;
  /** Whether the answer has reasoning before its text; absent where that is not looked for. */
  readonly reasoned?: boolean;
}

const QUOTED_LENGTH = 200;

/** Reads an answer that came with HTTP 2xx: its ending is judged before its text. */
export function readModelAnswer(answer: ModelAnswer, input: EngineInput): Reading {
  const { finish, usage, billed, providerRequestId, modelVersion, reasoned } = answer;
  const known = { usage, billed, providerRequestId, modelVersion, ...(reasoned && ({ reasoned } as const)) };
  const text = cleanAnswer(answer.text);
  const ending = endingOf(text, finish, usage);
  if (ending.kind !== 'ok' && ending.kind !== 'truncated') return unread({ ...known, ending });
  const { pages, warnings } = readPages(text, input);
  if (ending.kind === 'ok' && finish.kind === 'unknown') {
    warnings.push(`The engine gave an unknown reason for ending: "${finish.reason.slice(0, 40)}".`);
  }
  return unread({ ...known, ending, pages, warnings });
}

/**
 * Judges the ending in this order, because a refusal may come with text, and a model that used all its tokens for thinking has
 * none.
 */
function endingOf(text: string, finish: Finish, usage: Usage | null): Ending {
  if (finish.kind === 'refused') return refused(finish.words);
  if (finish.kind === 'limit') {
    const spent = usage?.outputTokens ? ` after ${usage.outputTokens} tokens` : '';
    return { kind: 'truncated', message: `The engine stopped at its output limit${spent}; the text is incomplete.` };
  }
  if (finish.kind === 'broken') return failed(finish.message);
  if (isProseRefusal(text)) return refused(text);
  if (hasTextBesidesImages(text)) return { kind: 'ok' };
  if (finish.kind === 'done') return { kind: 'empty' };
  const reason = finish.reason.slice(0, 40);
  return failed(`The engine returned no text and gave an unknown reason for ending: "${reason}".`);
}

function readPages(text: string, input: EngineInput): { pages: PageReading[]; warnings: string[] } {
  const page = { confidence: null, source: 'engine' } as const;
  if (input.kind === 'picture') return { pages: [{ number: input.page, text, ...page }], warnings: [] };
  const { pages, marked } = splitPages(text, input.pages, input.pagesTotal);
  const warnings = marked
    ? []
    : ['The engine did not tell the pages apart: the text of all stands on the first one that was asked for.'];
  return { pages: pages.map((part, i) => ({ ...part, ...page, ...(!marked && i > 0 && { merged: true }) })), warnings };
}

function refused(words: string | null): Ending {
  const quoted = (words ?? '').trim().replace(/\s+/g, ' ').slice(0, QUOTED_LENGTH);
  if (quoted === '') return { kind: 'refused', message: 'The engine’s content filter refused the page.' };
  return { kind: 'refused', message: `The engine refused to read the page: “${quoted}”`, quote: quoted };
}

function failed(message: string): Ending {
  return { kind: 'failed', message, temporary: true, httpStatus: 200 };
}
