import { shortCount } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import type { Measure } from './compare-lines.ts';

/** What engines are compared by over time. */
export const MEASURES: Readonly<Record<Measure, { readonly label: string; readonly text: (value: number) => string }>> =
  {
    p95: { label: 'p95', text: duration },
    errors: { label: 'Errors', text: (value) => share(value) },
    runs: { label: 'Runs', text: shortCount },
    charged: { label: 'Charged', text: money },
  };

/** The measure that the address names, or the first of them. */
export function measureOf(wish: string | null): Measure {
  return wish !== null && Object.hasOwn(MEASURES, wish) ? (wish as Measure) : 'p95'; // it is one of the names
}
