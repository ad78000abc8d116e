import { count } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { Link } from 'wouter';
import type { UsageFiguresFragment } from '../documents.generated.ts';
import { Tiles } from '../kit/tiles.tsx';
import { chargedFailuresIn, type Span } from './span.ts';
import { NOT_READ_CHARGED, notReadNote } from './usage-words.ts';

interface UsageTotalProps {
  readonly total: UsageFiguresFragment;
  readonly span: Span;
}

/** The days in sum, failures that cost something among them. */
export function UsageTotal({ total, span }: UsageTotalProps) {
  const failures =
    total.chargedOnFailures > 0 ? (
      <Link className="kit-link" href={chargedFailuresIn(span)}>
        which ones
      </Link>
    ) : (
      'none of them cost anything'
    );
  return (
    <Tiles
      tiles={[
        { name: 'Charged in these days', value: money(total.cost), note: 'settled requests' },
        { name: 'Requests', value: count(total.requests), note: notReadNote(total.failed) },
        { name: 'Pages', value: count(total.pages) },
        { name: NOT_READ_CHARGED, value: money(total.chargedOnFailures), note: failures },
      ]}
    />
  );
}
