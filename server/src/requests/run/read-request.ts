import { adapterOf } from '../../engines/adapters/registry.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { unread } from '../../engines/model/reading.ts';
import { TimeLimitError } from '../../engines/model/stop-reasons.ts';
import { untakenScans } from '../../engines/model/takes.ts';
import { AppError } from '../../platform/errors.ts';
import { type Conclusion, conclude, judge } from '../judge/conclude.ts';
import type { JudgedPage } from '../judge/judge-page.ts';
import { RunError } from '../judge/run-error.ts';
import { unsoldAttempts } from '../judge/unsold-attempts.ts';
import type { Effective } from '../model/effective.ts';
import type { AppliedSettings } from '../model/result-metadata.type.ts';
import type { CostCap } from '../read/cost-cap.ts';
import { appliedSettings, engineSettings } from '../read/engine-settings.ts';
import type { OpenDocument } from '../read/open-document.ts';
import type { PageJournal, PageResult } from '../read/page-result.ts';
import type { Readers } from '../read/page-task.ts';
import { planPages } from '../read/plan-pages.ts';
import { readPages } from '../read/read-pages.ts';
import type { Phases } from '../times/phases.ts';

/** One run of a request on its engine. */
export interface Run {
  readonly conclusion: Conclusion;
  readonly applied: AppliedSettings;
  readonly warnings: readonly string[];
  readonly pagesTotal: number;
  /** Whether the format can have several pages. */
  readonly isPaged: boolean;
}

export interface RunTask {
  readonly document: OpenDocument;
  readonly effective: Effective;
  readonly engine: Engine;
  /** Makes the id of an attempt. */
  newAttemptId(): string;
  readonly requestId: string;
  /** The id of the account: accounts take turns at an engine. */
  readonly party: string;
  /** True where no caller waits for the answer. */
  readonly patient: boolean;
  /** Of a large job: its pages are stored one by one. */
  readonly journal?: PageJournal | null;
  /** The caller's `max_cost_usd`; absent without one. */
  readonly cap?: CostCap | null;
  /** The run adds the times of its steps. */
  readonly phases: Phases;
  readonly signal: AbortSignal;
}

/**
 * Reads the pages that a request asks for with its engine, hands scanned pages on as `scanned_handling` says, and
 * draws the conclusion. Throws a `RunError` when it ends early: `unprocessable_entity` for what no engine could do
 * anything about, the signal's reason, or a fault of ours.
 */
export async function readRequest(readers: RunReaders, task: RunTask): Promise<Run> {
  const made: PageResult[] = [];
  try {
    return await runOf(readers, { ...task, onPage: (page) => made.push(page) });
  } catch (error) {
    throw new RunError(error, unsoldAttempts(made, task.newAttemptId));
  }
}

async function runOf(readers: RunReaders, task: RunUnderWay): Promise<Run> {
  const { document, effective, engine } = task;
  const total = document.inspection.pages;
  const plan = planPages(effective, engine.maxPagesPerRequest, total);
  const { settings, warnings } = engineSettings(effective, engine);
  const first = judge(
    await readPages(readers, { ...task, pages: plan.run, settings, keepsLayout: keepsLayout(effective) }),
  );
  const attemptIds = new Map([[engine.id, task.newAttemptId()]]);
  const pages = await handleScanned(readers, task, first, attemptIds);
  const conclusion = conclude(pages, {
    engine,
    extraPages: plan.billed - plan.run.length,
    attemptIds,
    documentPages: total,
    timedOut: task.signal.reason instanceof TimeLimitError,
  });
  const isPdf = document.inspection.format === 'pdf';
  const applied = {
    ...{ engine, settings, results: first.map(({ result }) => result), billedPages: plan.billed },
    ...{ pagesPerCall: isPdf && engine.nativePdf ? plan.run.length : 1, rendered: isPdf && !engine.nativePdf },
  };
  return {
    conclusion,
    applied: appliedSettings(effective, applied),
    warnings: [...document.inspection.warnings, ...warnings, ...plan.warnings, ...scannedNote(effective, engine)],
    pagesTotal: total,
    isPaged: isPdf || document.inspection.format === 'tiff',
  };
}

/** A run's task, and a callback for each page that is finished. */
type RunUnderWay = RunTask & { onPage(result: PageResult): void };

function keepsLayout({ include }: Effective): boolean {
  return (include?.length ?? 0) > 0;
}

type RunReaders = Readers & { readonly catalogue: Pick<Catalogue, 'find'> };

/** Pages that the engine cannot read because they are pictures of text: skip, hand on, or refuse the document. */
async function handleScanned(
  readers: RunReaders,
  task: RunUnderWay,
  pages: readonly JudgedPage[],
  attemptIds: Map<string, string>,
): Promise<readonly JudgedPage[]> {
  const { effective } = task;
  const scanned = pages.filter(({ verdict }) => verdict.kind === 'skipped').map(({ result }) => result.number);
  if (scanned.length === 0 || effective.scannedHandling === 'skip') return pages;
  requireNoScans(effective, scanned);
  const fallback = effective.fallbackEngine === null ? undefined : readers.catalogue.find(effective.fallbackEngine);
  if (!fallback) return pages;
  attemptIds.set(fallback.id, task.newAttemptId());
  const { settings } = engineSettings(effective, fallback);
  const objection = untakenScans(fallback, scanned.length);
  const reread = judge(
    objection
      ? scanned.map((number) => notGiven(fallback, number, objection))
      : await readPages(readers, {
          ...task,
          journal: null, // it has pages of the other engine
          engine: fallback,
          pages: scanned,
          settings: { ...settings, native: {} },
          keepsLayout: keepsLayout(effective),
        }),
  );
  const byNumber = new Map(reread.map((page) => [page.result.number, page]));
  return pages.map((page) => byNumber.get(page.result.number) ?? page);
}

/** A page that the engine does not take: it is not called, and nothing is billed. */
function notGiven(engine: Engine, number: number, message: string): PageResult {
  const reading = unread({ ending: { kind: 'unreadable', message, called: false }, billed: 'no' });
  return { number, engine, latencyMs: 0, reading, page: null, blank: false, warnings: [] };
}

/** Throws `unprocessable_entity` for scanned pages where the caller wants none of them. */
export function requireNoScans({ scannedHandling, fallbackEngine }: Effective, scanned: readonly number[]): void {
  if (scannedHandling !== 'error' || scanned.length === 0) return;
  const advice = fallbackEngine
    ? `Set \`scanned_handling\` to \`fallback\` to have \`${fallbackEngine}\` read them.`
    : 'Set `fallback_engine`, and `scanned_handling` to `fallback`, to read them.';
  throw new AppError(
    'unprocessable_entity',
    `Scanned pages without a usable text layer: ${scanned.join(', ')}. ${advice}`,
  );
}

function scannedNote(effective: Effective, engine: Engine): string[] {
  if (!effective.scannedHandlingGiven || handsScansOn(engine)) return [];
  return [`scanned_handling was ignored: engine "${engine.id}" recognises pictures and reads scanned pages anyway.`];
}

/** Whether the engine leaves scanned pages to `scanned_handling`; those that recognise pictures read them. */
export function handsScansOn(engine: Engine): boolean {
  return adapterOf(engine).readsTextLayer ?? false;
}
