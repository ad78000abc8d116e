import type { TimeSlot } from '@ocr-router/ui/charts/hours.ts';
import { plural } from '@ocr-router/ui/format/count.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { isHighErrorRate } from '@ocr-router/ui/status/error-rate.ts';

/** How much there was, and how that compares to as many hours before; `before` null: those are not known. */
export function trafficChange(now: readonly TimeSlot[], before: readonly TimeSlot[] | null): string {
  const { runs, errors } = sumOf(now);
  const words = `${plural(runs, 'run')}, ${runs === 0 ? 'no' : share(errors / runs)} errors`;
  const former = before === null ? null : sumOf(before);
  if (former === null || former.runs === 0) return words;
  const change = (runs - former.runs) / former.runs;
  const more =
    Math.abs(change) < 0.01 ? 'as many as' : `${share(Math.abs(change), 0)} ${change > 0 ? 'more' : 'fewer'} than`;
  return `${words}; ${more} in the period before, which had ${share(former.errors / former.runs)} errors`;
}

/** Whether the share of errors that `trafficChange` names is one that somebody needs to look at. */
export function hasManyErrors(now: readonly TimeSlot[]): boolean {
  const { runs, errors } = sumOf(now);
  return isHighErrorRate({ errorRate: runs === 0 ? null : errors / runs });
}

function sumOf(slots: readonly TimeSlot[]): { readonly runs: number; readonly errors: number } {
  return slots.reduce(
    (sum, { bucket }) => ({
      runs: sum.runs + (bucket?.requestCount ?? 0),
      errors: sum.errors + (bucket?.errorCount ?? 0),
    }),
    { runs: 0, errors: 0 },
  );
}
