import { plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import type { OverviewQuery } from '../../documents.generated.ts';

type Figures = OverviewQuery['overview'];

/** Runs on engines, and the errors that are the engines' own: a request may have several runs, and fail without one. */
export function runsWords({
  requests,
  errorRate,
  refused,
}: Pick<Figures, 'requests' | 'errorRate' | 'refused'>): string {
  const runs = requests === 0 ? 'no runs on engines' : `${plural(requests, 'run')}, ${share(errorRate)} engine errors`;
  return refused === 0 ? runs : `${runs}, ${plural(refused, 'call')} refused`;
}

/** What runs without a text cost at their providers, whatever became of their requests. */
export function failuresWords({ chargedOnFailures }: Pick<Figures, 'chargedOnFailures'>): string {
  return `${money(chargedOnFailures)} of it for attempts that failed, at cost`;
}
