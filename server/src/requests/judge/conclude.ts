import type { Engine } from '../../engines/model/engine.ts';
import { quotesOf } from '../../engines/model/reading.ts';
import { CANCELLED } from '../../engines/unanswered.ts';
import { type NanoUsd, sum } from '../../platform/money.ts';
import type { StoredLayout } from '../layout/stored-layout.ts';
import type { Attempt } from '../model/attempt.ts';
import { OcrPage } from '../model/ocr-page.ts';
import { previewOf } from '../model/preview.ts';
import type { PagePreprocessing } from '../model/result-metadata.type.ts';
import { sentences } from '../model/sentences.ts';
import { isRead } from '../model/states.ts';
import type { PageResult } from '../read/page-result.ts';
import { attemptsOf } from './attempts-of.ts';
import { callsOf, soldCost } from './calls.ts';
import {
  failureCode,
  isGood,
  isRetryable,
  isUncalled,
  type JudgedPage,
  judgePage,
  type Verdict,
} from './judge-page.ts';
import { isLlm, llmNotes, messageOf, pageWarnings } from './page-notes.ts';

/** Between two pages of a result: a blank line, a rule, a blank line. */
export const PAGE_BREAK = '\n\n---\n\n';

/** The outcome of one run of a request: all its verdicts together. A settlement is made of it. */
export interface Conclusion {
  readonly kind:
    | 'succeeded'
    | 'partial'
    | 'refused'
    | 'timeout'
    | 'unreadable'
    | 'failed'
    | 'unavailable'
    | 'cancelled';
  /** Whether another engine might do better: a refusal, no text, a temporary error, a timeout. */
  readonly retryable: boolean;
  /** The request was cancelled before all its pages had been read. */
  readonly cancelled: boolean;
  readonly message: string | null;
  readonly text: string;
  readonly preview: string | null;
  readonly confidence: number | null;
  readonly latencyMs: number;
  /** Pages processed and billed; 0 on failure. */
  readonly pages: number;
  readonly charge: NanoUsd;
  /** What all pages would have cost, had their engines read them; an estimate where tokens are billed. */
  readonly fullPrice: NanoUsd;
  readonly chargeKind: 'charge' | 'provider_cost';
  readonly warnings: readonly string[];
  /** Notes about the output of LLM engines. */
  readonly notes: readonly string[];
  readonly duplicate: { lines: number; text: string } | null;
  /** The pages that were prepared so that they read better. */
  readonly preprocessing: readonly PagePreprocessing[];
  readonly pageRows: readonly OcrPage[];
  readonly attempts: readonly Attempt[];
  /** The attempts at the provider's cost, for a run whose pages are not charged because another engine's answer is used. */
  readonly unsold: () => readonly Attempt[];
}

export interface ConcludeContext {
  readonly engine: Engine;
  /** Pages that the request is billed for beyond those that the document has. */
  readonly extraPages: number;
  /** Attempt ids by engine id. */
  readonly attemptIds: ReadonlyMap<string, string>;
  readonly documentPages: number;
  /** Whether the time of the whole request was over: it is a timeout then, whatever was read. */
  readonly timedOut: boolean;
}

/** Judges the pages of a run. */
export function judge(results: readonly PageResult[]): JudgedPage[] {
  return results.map((result) => ({ result, verdict: judgePage(result, { isLlm: isLlm(result.engine) }) }));
}

/** Draws the conclusion from judged pages. */
export function conclude(pages: readonly JudgedPage[], context: ConcludeContext): Conclusion {
  const good = pages.filter(({ verdict }) => isGood(verdict));
  const cut = pages.filter(({ verdict }) => verdict.kind === 'truncated' && verdict.text !== '');
  const bad = pages.filter(({ verdict }) => !isGood(verdict));
  const kind = context.timedOut ? 'timeout' : kindOf({ good, cut, bad });
  const sold = kind === 'succeeded' || (kind === 'partial' && good.length > 0);
  // A partial result is charged for the pages that it delivers, not for those that the document does not have.
  const extraPages = kind === 'succeeded' ? context.extraPages : 0;
  const attempts = attemptsOf(pages, { ...context, sold });
  const text = pages.flatMap(({ verdict }) => textOf(verdict)).join(PAGE_BREAK);
  const pagesOf = { succeeded: pages.length + extraPages, partial: good.length + cut.length };
  return {
    kind,
    cancelled: bad.some(({ verdict }) => verdict.kind === 'cancelled'),
    retryable: bad.some(({ verdict }) => isRetryable(verdict)),
    message: messageFor(kind, bad[0], pages.length),
    text: kind === 'succeeded' ? text : '',
    preview: kind === 'partial' ? previewOf(text) : null,
    confidence: meanConfidence(good),
    latencyMs: attempts.reduce((total, { providerLatencyMs }) => total + (providerLatencyMs ?? 0), 0),
    pages: isRead(kind) ? pagesOf[kind] : 0,
    charge: sold ? soldFor(pages, { ...context, extraPages }) : sum(attempts.map(({ cost }) => cost)),
    fullPrice:
      sum(pages.map(({ result }) => result.engine.pricePerPage)) +
      context.engine.pricePerPage * BigInt(context.extraPages),
    chargeKind: sold ? 'charge' : 'provider_cost',
    warnings: pageWarnings(pages, context),
    notes: llmNotes(pages),
    duplicate: duplicateOf(pages),
    preprocessing: pages.flatMap(({ result: { number, steps } }) => (steps ? [{ page: number, steps }] : [])),
    pageRows: pages.map(pageRow),
    attempts,
    unsold: () => (sold ? attemptsOf(pages, { ...context, sold: false }) : attempts),
  };
}

function kindOf({ good, cut, bad }: Record<'good' | 'cut' | 'bad', readonly JudgedPage[]>): Conclusion['kind'] {
  if (bad.length === 0 && good.length > 0) return 'succeeded';
  if (good.length > 0 || cut.length > 0) return 'partial';
  if (bad.some(({ verdict }) => verdict.kind === 'cancelled')) return 'cancelled';
  if (bad.some(({ verdict }) => verdict.kind === 'timeout')) return 'timeout';
  if (bad.every(({ verdict }) => verdict.kind === 'unreadable')) return 'unreadable';
  // Pages that cannot be drawn say nothing about the engine that was called for the others.
  const tried = bad.filter(({ verdict }) => !(verdict.kind === 'unreadable' && !verdict.called));
  if (tried.every(({ verdict }) => isUncalled(verdict))) return 'unavailable';
  const unbilled = tried.every(({ verdict, result }) => verdict.kind === 'failed' && result.reading.billed === 'no');
  return unbilled ? 'failed' : 'refused';
}

/** A cancelled run says that it was cancelled; any other one why its first bad page failed. */
function messageFor(kind: Conclusion['kind'], bad: JudgedPage | undefined, pages: number): string | null {
  if (kind === 'cancelled') return CANCELLED;
  return bad ? messageOf(bad, pages) : null;
}

/** The parts that a page adds to the joined text: none for a skipped or merged page, an empty one for a blank page. */
function textOf(verdict: Verdict): string[] {
  if (verdict.kind === 'read' || verdict.kind === 'truncated') return [verdict.text];
  return verdict.kind === 'blank' ? [''] : [];
}

/** The price of the pages that are good, and the provider's cost of the calls that gave none. */
function soldFor(pages: readonly JudgedPage[], { engine, extraPages }: ConcludeContext): NanoUsd {
  const extra = engine.tokenPrices ? 0n : engine.pricePerPage * BigInt(extraPages);
  return extra + sum(callsOf(pages).map((call) => soldCost(call) ?? 0n));
}

function meanConfidence(good: readonly JudgedPage[]): number | null {
  let weight = 0;
  let total = 0;
  for (const { result, verdict } of good) {
    const confidence = result.page?.confidence;
    if (verdict.kind !== 'read' || confidence == null) continue;
    weight += verdict.text.length;
    total += confidence * verdict.text.length;
  }
  return weight > 0 ? Math.round((total / weight) * 10_000) / 10_000 : null;
}

function duplicateOf(pages: readonly JudgedPage[]): Conclusion['duplicate'] {
  for (const { verdict } of pages) if (verdict.kind === 'read' && verdict.duplicate) return verdict.duplicate;
  return null;
}

/** The layout of a page that was not read: its lines and tables are not handed out. */
function withoutLines(layout: StoredLayout): StoredLayout {
  return { ...layout, positions: 'none', lines: null, tables: null };
}

/** The page as it is stored, without its request. */
export function pageRow({ result, verdict }: JudgedPage): OcrPage {
  const { engine, page } = result;
  const row = new OcrPage();
  row.number = result.number;
  row.engine = engine.id;
  row.source = page?.source ?? 'engine';
  row.state = stateOf(verdict);
  row.text = verdict.kind === 'truncated' ? verdict.text || null : (textOf(verdict)[0] ?? null);
  row.confidence = page?.confidence ?? null;
  row.providerLatencyMs = result.latencyMs;
  row.cost = row.state !== 'failed' && !engine.tokenPrices ? engine.pricePerPage : 0n;
  row.code = failureCode(verdict);
  row.message = 'message' in verdict ? sentences([verdict.message]) : null;
  if (row.message !== null) row.quotes = quotesOf(result.reading);
  if (result.layout) row.layout = row.state === 'read' ? result.layout : withoutLines(result.layout);
  return row;
}

function stateOf(verdict: Verdict): OcrPage['state'] {
  if (verdict.kind === 'merged') return 'read';
  return verdict.kind === 'read' || verdict.kind === 'blank' || verdict.kind === 'skipped' ? verdict.kind : 'failed';
}
