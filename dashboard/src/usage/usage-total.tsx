import { count } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { Link } from 'wouter';
import type { UsageFiguresFragment } from '../documents.generated.ts';
import { Tiles } from '../kit/tiles.tsx';
import { NOT_READ_CHARGED, notReadNote } from './usage-words.ts';

/** The days in sum, failures that cost something among them. */
export function UsageTotal({ total }: { readonly total: UsageFiguresFragment }) {
  const failures =
    total.chargedOnFailures > 0 ? (
      <Link className="kit-link" href="/requests?charged-failures=yes">
        which ones
      </Link>
    ) : (
      'none of them cost anything'
    );
  return (
    <Tiles
      tiles={[
        { name: 'Spent in these days', value: money(total.cost), note: 'settled requests' },
        { name: 'Requests', value: count(total.requests), note: notReadNote(total.failed) },
        { name: 'Pages', value: count(total.pages) },
        { name: NOT_READ_CHARGED, value: money(total.chargedOnFailures), note: failures },
      ]}
    />
  );
}
