import { adapterOf } from '../../engines/adapters/registry.ts';
import { MOST_OF_A_KIND } from '../../engines/model/counted-warnings.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { pageRanges } from '../../engines/model/page-ranges.ts';
import { sentences } from '../model/sentences.ts';
import { isGood, type JudgedPage } from './judge-page.ts';

const MISFIT = "the engine's positions do not fit the page and were left out.";

/** Whether the engine writes text instead of recognising it: its notes go into the metadata. */
export function isLlm(engine: Engine): boolean {
  return adapterOf(engine).writesText ?? false;
}

/** What went wrong with a page; named by its number where the document has several. */
export function messageOf({ result, verdict }: JudgedPage, pages: number): string {
  const message = 'message' in verdict ? verdict.message : '';
  return pages > 1 ? `Page ${result.number}: ${message}` : message;
}

/** Of pages that are rather wrong than right, most have less. */
const LOW_CONFIDENCE = 0.6;

interface Context {
  readonly engine: Engine;
  readonly documentPages: number;
}

/** A sentence about a page, and what it says without naming the page. */
interface PageNote {
  readonly page: number;
  readonly kind: string;
  readonly text: string;
}

/** What the caller should know of the pages: twenty sentences of a kind, then the numbers of the other pages. */
export function pageWarnings(pages: readonly JudgedPage[], context: Context): string[] {
  const left = new Map<string, number[]>();
  const seen = new Map<string, number>();
  const warnings: string[] = [];
  for (const { page, kind, text } of pages.flatMap((page) => notesOf(page, context))) {
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    if (count <= MOST_OF_A_KIND) warnings.push(text);
    else left.set(kind, [...(left.get(kind) ?? []), page]);
  }
  const more = [...left].map(([kind, numbers]) => `${numbers.length} more pages (${pageRanges(numbers)}): ${kind}`);
  return [...warnings, ...more];
}

function notesOf(page: JudgedPage, context: Context): PageNote[] {
  const { result, verdict } = page;
  const several = context.documentPages > 1;
  const name = several ? `Page ${result.number}` : 'The page';
  const ownWarnings = isLlm(result.engine) ? [] : result.reading.warnings;
  const notes: PageNote[] = [];
  const add = (kind: string, text: string) => notes.push({ page: result.number, kind, text });
  for (const text of result.warnings) add('scaled or drawn otherwise.', text);
  for (const text of ownWarnings) add(text, several ? `Page ${result.number}: ${text}` : text);
  if (result.misfit) add(MISFIT, `Page ${result.number}: ${MISFIT}`);
  if (result.strays) {
    const text = `${result.strays} of the engine’s positions ${result.strays === 1 ? 'is off the page and was' : 'are off the page and were'} left out.`;
    add('some of the engine’s positions are off the page and were left out.', several ? `${name}: ${text}` : text);
  }
  if (verdict.kind === 'blank') add('blank.', `${name} is blank.`);
  const confidence = result.page?.confidence ?? null;
  if (verdict.kind === 'read' && confidence !== null && confidence < LOW_CONFIDENCE) {
    add(
      'read with low confidence.',
      `${name} was read with low confidence (${confidence.toFixed(2)}): check its text.`,
    );
  }
  if (verdict.kind === 'skipped') {
    add('scanned and skipped.', `${name} is scanned (${verdict.message}) and was skipped.`);
  }
  if (isGood(verdict) && result.engine.id !== context.engine.id) {
    add(`scanned and read by ${result.engine.id}.`, `${name} is scanned and was read by ${result.engine.id}.`);
  }
  if (!isGood(verdict) && several) {
    add('failed.', sentences([`${name} failed: ${'message' in verdict ? verdict.message : ''}`]));
  }
  return notes;
}

/** Notes about the output of LLM engines; one that pages of one answer share, once. */
export function llmNotes(pages: readonly JudgedPage[]): string[] {
  return [...new Set(pages.flatMap(notesOfLlm))];
}

function notesOfLlm({ result, verdict }: JudgedPage): readonly string[] {
  if (!isLlm(result.engine)) return [];
  const repeats = verdict.kind === 'read' && verdict.duplicate !== null;
  const note = 'The end of the text repeats itself: possibly a duplicated trailing block.';
  return repeats ? [...result.reading.warnings, note] : result.reading.warnings;
}
