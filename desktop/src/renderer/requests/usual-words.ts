import { duration } from '@ocr-router/ui/format/duration.ts';

interface Run {
  readonly engine: string;
  readonly providerLatencyMs: number | null;
  readonly pagesTried: number | null;
}

interface Usual {
  readonly requests: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** With fewer runs nothing is usual. */
const FEW_RUNS = 20;
/** Of the median: as much as it, for a reader. */
const QUICKER = 0.9;

/** Milliseconds a page that the runs on an engine took; null where it has not worked. */
export function pageMs(runs: readonly Run[], engine: string): number | null {
  const timed = runs.filter((run) => run.engine === engine && run.providerLatencyMs !== null);
  if (timed.length === 0) return null;
  const pages = timed.reduce((sum, { pagesTried }) => sum + Math.max(1, pagesTried ?? 1), 0);
  return timed.reduce((sum, { providerLatencyMs }) => sum + (providerLatencyMs ?? 0), 0) / pages;
}

/** How the time of a page compares to what is usual for its engine; null where that is not known. */
export function usualWords(ms: number | null, { requests, p50Ms, p95Ms }: Usual): string | null {
  if (ms === null || p50Ms === null || p95Ms === null || requests < FEW_RUNS) return null;
  const page = `The engine took ${duration(ms)} per page:`;
  if (ms > p95Ms) return `${page} longer than 95 % of its pages in 7 days (p95 ${duration(p95Ms)}).`;
  if (ms > QUICKER * p50Ms) return `${page} within what is usual (p50 ${duration(p50Ms)}, p95 ${duration(p95Ms)}).`;
  return `${page} quicker than most (p50 ${duration(p50Ms)}).`;
}
