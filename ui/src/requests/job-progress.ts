import { plural } from '../format/count.ts';

/** A job, as both faces ask for it. */
export interface RunningRequest {
  readonly status: string;
  readonly startedAt?: string | null;
  readonly finishedAt?: string | null;
  /** How often a worker began with it. */
  readonly starts: number;
  readonly understood: Readonly<Record<string, unknown>>;
  readonly job?: JobPages | null;
}

interface JobPages {
  readonly pagesDone: number;
  readonly pagesFailed: readonly unknown[];
  readonly pagesTotal: number;
}

export interface JobProgress {
  /** Pages that are over, read or not. */
  readonly done: number;
  /** Pages that are to be read; null where they are those of a range, or the document has not been opened. */
  readonly total: number | null;
  /** How long it takes from now on if it goes on as it went so far; null where that would be a guess. */
  readonly leftMs: number | null;
}

/** Fewer pages, or less time, say nothing of the pace. */
const FEW_PAGES = 3;
const SHORT_MS = 5000;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** How far a large job has come; null for one that has ended, and for every other request. */
export function jobProgress(request: RunningRequest, nowMs: number): JobProgress | null {
  const { job, understood, finishedAt } = request;
  if (!job || finishedAt) return null;
  const done = job.pagesDone + job.pagesFailed.length;
  const total = understood['pageRange'] != null || job.pagesTotal === 0 ? null : wanted(understood, job);
  return { done, total, leftMs: total === null ? null : leftMs(request, { done, total }, nowMs) };
}

/** Without a range it is the first pages of the document, one unless the request says how many. */
function wanted({ pageCount }: Readonly<Record<string, unknown>>, { pagesTotal }: JobPages): number {
  return Math.min(typeof pageCount === 'number' ? pageCount : 1, pagesTotal);
}

/** After a second start it is not known how many of its pages the first one had read. */
function leftMs(
  { status, startedAt, starts }: RunningRequest,
  { done, total }: { done: number; total: number },
  nowMs: number,
): number | null {
  if (status !== 'processing' || !startedAt || starts > 1) return null;
  const passedMs = nowMs - Date.parse(startedAt);
  if (done < FEW_PAGES || done >= total || passedMs < SHORT_MS) return null;
  return (passedMs / done) * (total - done);
}

/** `6 of 40 pages, about 3 min left at this pace`. */
export function progressWords({ done, total, leftMs: left }: JobProgress): string {
  if (total === null) return `${plural(done, 'page')} so far`;
  const pages = `${done} of ${plural(total, 'page')}`;
  return left === null ? pages : `${pages}, about ${roughly(left)} left at this pace`;
}

/** No more precise than it is known. */
function roughly(ms: number): string {
  if (ms <= 50 * SECOND_MS) return `${Math.ceil(ms / (10 * SECOND_MS)) * 10} s`;
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes < 60 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
