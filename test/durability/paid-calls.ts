import type { Row } from './books.ts';
import { isLost } from './lost.ts';
import type { Outcome } from './marker.ts';
import type { Absence } from './mortal.ts';
import { hasEnded } from './page-ends.ts';
import type { LoggedCall } from './provider-process.ts';
import { languageOf, type Sent } from './sent.ts';

/** What a run has ended without a warning: only that may cost a reading. */
export interface Killed {
  /** A process of the product, or it was told to stop while no database could hear what it gives back. */
  readonly product: boolean;
  /** When the database crashed. */
  readonly crashes: readonly Absence[];
}

export interface CallEvidence {
  readonly sent: readonly Sent[];
  readonly rows: readonly Row[];
  readonly calls: readonly LoggedCall[];
  readonly killed: Killed;
}

/** Calls that the provider has answered and takes money for, against the settlements that they are behind. */
export interface CallAccount {
  readonly paid: number;
  readonly settled: number;
  /** Calls whose reading was lost with a process that was killed. */
  readonly lost: number;
  /** Calls that were answered while their request was cancelled. */
  readonly stopped: number;
  readonly broken: readonly string[];
}

/** What the provider is owed for: a call that it has answered, be it with a refusal. */
const PAID: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'slow', 'refusal']);
/** Neither a claim nor the acceptance of a synchronous request waits for the disk: a crash takes back what is younger. */
const UNWRITTEN_MS = 1000;
/** Until a run has heard that it has no lease any more: two heartbeats. */
const UNHEARD_MS = 7000;

/**
 * No successful call without its settlement: of each page one paid call is settled, and each further one belongs to a run
 * that was lost with a process. Without a kill there is none. The pages of a cancelled request that had not ended are its
 * own: the call that was under way may have been answered at that moment.
 */
export function accountForCalls({ sent, rows, calls, killed }: CallEvidence): CallAccount {
  const rowsBy = Map.groupBy(rows, ({ language }) => language);
  const callsBy = Map.groupBy(calls.filter(isPaid), ({ serial }) => serial);
  const broken: string[] = [];
  let settled = 0;
  let lost = 0;
  let stopped = 0;
  for (const each of sent) {
    const own = rowsBy.get(languageOf(each)) ?? [];
    const runs = killed.product ? lostRuns(own) : 0;
    for (const [i, { serial }] of each.pages.entries()) {
      const paid = callsBy.get(serial) ?? [];
      const isSettled = own.some((row) => isRead(row) && hasEnded(row, i + 1));
      const unsettled = Math.max(0, paid.length - (isSettled ? 1 : 0));
      const isStopped = unsettled > 0 && own.some((row) => !hasEnded(row, i + 1));
      const surplus = unsettled - (isStopped ? 1 : 0);
      const may = runs + takenBack(paid, killed.crashes);
      settled += paid.length - unsettled;
      stopped += unsettled - surplus;
      lost += surplus;
      if (surplus > may)
        broken.push(
          `page ${serial} (${own.map(describe)}): ${surplus} paid calls without settlement, ${may} runs lost`,
        );
    }
    if (!killed.product) broken.push(...own.filter(({ starts }) => starts > 1).map(describe));
  }
  return { paid: settled + stopped + lost, settled, stopped, lost, broken };
}

export function isPaid({ outcome, aborted }: LoggedCall): boolean {
  return PAID.has(outcome) && aborted !== true;
}

function isRead(row: Row): boolean {
  return row.isFinished && !isLost(row);
}

/** What was cancelled may have ended out of the queue, after each of its runs was lost. */
function lostRuns(rows: readonly Row[]): number {
  const ended = rows.filter((row) => isRead(row) && !row.isCancelled);
  return rows.reduce((sum, { starts }) => sum + starts, 0) - ended.length;
}

/** Crashes of the database that can have taken back the acceptance or the claim behind one of the calls. */
function takenBack(calls: readonly LoggedCall[], crashes: readonly Absence[]): number {
  return crashes.filter(({ from, until }) =>
    calls.some(({ at }) => at >= from - UNWRITTEN_MS && at <= until + UNHEARD_MS),
  ).length;
}

function describe({ id, mode, status, errorCode, starts }: Row): string {
  return `${id} ${mode} ${errorCode ?? status} after ${starts} starts`;
}
