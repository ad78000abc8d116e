import type { TimeSlot } from '@ocr-router/ui/charts/hours.ts';
import { plural } from '@ocr-router/ui/format/count.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { isHighErrorRate } from '@ocr-router/ui/status/error-rate.ts';

/** How much there was. */
export function trafficWords(slots: readonly TimeSlot[]): string {
  const { runs, errors } = sumOf(slots);
  return `${plural(runs, 'run')}, ${runs === 0 ? 'no' : share(errors / runs)} errors`;
}

/** Whether the share of errors that `trafficWords` names is one that somebody needs to look at. */
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
