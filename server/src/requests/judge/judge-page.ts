import type { PageReading } from '../../engines/model/engine.ts';
import type { ProviderFault } from '../../engines/model/provider-fault.ts';
import type { PageFailureCode } from '../model/ocr-page.ts';
import type { PageResult } from '../read/page-result.ts';
import { driftingTail, duplicateTail } from './duplicate-tail.ts';

/** The outcome of one page, judged by how its call ended before its text is looked at. */
export type Verdict =
  | { readonly kind: 'read'; readonly text: string; readonly duplicate: { lines: number; text: string } | null }
  | { readonly kind: 'blank' }
  /** Its text stands on an earlier page: the engine did not tell the pages apart. */
  | { readonly kind: 'merged' }
  | { readonly kind: 'skipped'; readonly message: string }
  /** Its text breaks off or repeats itself without end: it is no result, but kept with the page. */
  | { readonly kind: 'truncated'; readonly text: string; readonly message: string }
  | { readonly kind: 'refused' | 'empty' | 'timeout'; readonly message: string }
  | { readonly kind: 'unreadable' | 'cancelled'; readonly message: string; readonly called: boolean }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly temporary: boolean;
      readonly called: boolean;
      readonly byCaller: boolean;
      readonly fault: ProviderFault | null;
      /** The page was not begun: it might have cost more than was left of `max_cost_usd`. */
      readonly overCap: boolean;
    };

/** A page's result with its verdict. */
export interface JudgedPage {
  readonly result: PageResult;
  readonly verdict: Verdict;
}

/** The message for a page with ink on it but without text. */
const NO_TEXT: Record<PageReading['source'], string> = {
  engine: 'The engine returned no text.',
  text_layer: 'The engine returned no text: what is on the page is drawn. Engines that recognise pictures may read it.',
};

/** From this number of repeats on, the end of a text is a runaway loop. */
const LOOP_REPEATS = 3;

/** Judges a page in the order of the endings: transport, refusal, truncation, empty, loop, read. */
export function judgePage(result: PageResult, engine: { readonly isLlm: boolean }): Verdict {
  const { reading, page } = result;
  const { ending } = reading;
  if (page?.scanned) return { kind: 'skipped', message: page.scanned.reason };
  switch (ending.kind) {
    case 'failed':
      return {
        kind: 'failed',
        message: ending.message,
        temporary: ending.temporary,
        called: ending.called ?? true,
        byCaller: ending.byCaller ?? false,
        fault: ending.fault ?? null,
        overCap: ending.overCap ?? false,
      };
    case 'refused':
    case 'timeout':
      return { kind: ending.kind, message: ending.message };
    case 'cancelled':
      return { kind: 'cancelled', message: ending.message, called: ending.called };
    case 'unreadable':
      return { kind: 'unreadable', message: ending.message, called: ending.called ?? true };
    case 'truncated':
      return judgeCutOff(page?.text ?? '', ending.message, engine.isLlm);
    case 'empty':
    case 'ok':
      if (page?.merged && ending.kind === 'ok') return { kind: 'merged' };
      return judgeText(result.blank, page, engine.isLlm);
  }
}

/** Whether the page is in order: read, blank, or skipped as asked. */
export function isGood(verdict: Verdict): boolean {
  const { kind } = verdict;
  return kind === 'read' || kind === 'blank' || kind === 'merged' || kind === 'skipped';
}

/** Whether no engine was called for the page. */
export function isUncalled(verdict: Verdict): boolean {
  return 'called' in verdict && !verdict.called;
}

/** Why a page was not read; null for a page that is as it should be. */
export function failureCode(verdict: Verdict): PageFailureCode | null {
  if (isGood(verdict)) return null;
  if (verdict.kind === 'timeout' || verdict.kind === 'cancelled') return verdict.kind;
  if (verdict.kind === 'failed' && verdict.overCap) return 'budget_exceeded';
  return verdict.kind === 'unreadable' ? 'unprocessable_entity' : 'provider_error';
}

/** Whether another engine might do better: a refusal, no text, a temporary error, a timeout. */
export function isRetryable(verdict: Verdict): boolean {
  if (verdict.kind === 'failed') return verdict.temporary;
  return verdict.kind === 'refused' || verdict.kind === 'empty' || verdict.kind === 'timeout';
}

/**
 * A text that was cut off at a limit. It is looked for a loop in which only numbers differ; that is only noted: lists look
 * alike.
 */
function judgeCutOff(text: string, message: string, isLlm: boolean): Verdict {
  const tail = isLlm ? driftingTail(text) : null;
  if (!tail || tail.repeats < LOOP_REPEATS) return { kind: 'truncated', text, message };
  const loop = `It may have run into a loop: the end of its text repeats ${tail.repeats} times, but for numbers in it.`;
  return { kind: 'truncated', text, message: `${message} ${loop}` };
}

function judgeText(blank: boolean, page: PageReading | null, isLlm: boolean): Verdict {
  const text = page?.text ?? '';
  if (text.trim() === '')
    return blank ? { kind: 'blank' } : { kind: 'empty', message: NO_TEXT[page?.source ?? 'engine'] };
  const tail = isLlm ? duplicateTail(text) : null;
  if (!tail) return { kind: 'read', text, duplicate: null };
  if (tail.repeats < LOOP_REPEATS) return { kind: 'read', text, duplicate: { lines: tail.lines, text: tail.text } };
  const message = `The engine ran into a loop: the end of its text repeats ${tail.repeats} times.`;
  return { kind: 'truncated', text, message };
}
