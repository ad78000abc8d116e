import { adapterOf } from '../engines/catalogue.ts';
import type { Engine } from '../engines/engine.ts';
import { isGood, type JudgedPage } from './judge-page.ts';
import { sentences } from './sentences.ts';

/** Whether the engine writes text instead of recognising it: its notes go into the metadata. */
export function isLlm(engine: Engine): boolean {
  return adapterOf(engine).languageFamily === 'prompt';
}

/** What went wrong with a page; named by its number where the document has several. */
export function messageOf({ result, verdict }: JudgedPage, pages: number): string {
  const message = 'message' in verdict ? verdict.message : '';
  return pages > 1 ? `Page ${result.number}: ${message}` : message;
}

/** What the caller should know of a page. */
export function pageWarnings(page: JudgedPage, context: { engine: Engine; documentPages: number }): string[] {
  const { result, verdict } = page;
  const several = context.documentPages > 1;
  const name = several ? `Page ${result.number}` : 'The page';
  const ownWarnings = isLlm(result.engine) ? [] : result.reading.warnings;
  const warnings = [
    ...result.warnings,
    ...ownWarnings.map((text) => (several ? `Page ${result.number}: ${text}` : text)),
  ];
  if (verdict.kind === 'blank') warnings.push(`${name} is blank.`);
  if (verdict.kind === 'skipped') warnings.push(`${name} is scanned (${verdict.message}) and was skipped.`);
  if (isGood(verdict) && result.engine.id !== context.engine.id) {
    warnings.push(`${name} is scanned and was read by ${result.engine.id}.`);
  }
  if (!isGood(verdict) && several)
    warnings.push(sentences([`${name} failed: ${'message' in verdict ? verdict.message : ''}`]));
  return warnings;
}

/** Notes about the output of an LLM engine. */
export function llmNotes({ result, verdict }: JudgedPage): string[] {
  if (!isLlm(result.engine)) return [];
  const repeats = verdict.kind === 'read' && verdict.duplicate !== null;
  const note = 'The end of the text repeats itself: possibly a duplicated trailing block.';
  return repeats ? [...result.reading.warnings, note] : [...result.reading.warnings];
}
