import { Progress } from '@mantine/core';
import { money } from '@ocr-router/ui/format/money.ts';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import type { KeyRowFragment } from '../documents.generated.ts';

const IN = { day: 'today', week: 'this week', month: 'this month', total: 'in all' } as const;
const NEARLY = 0.8;

/** What is spent of a key's limit, what is held being spent until it is given back. */
export function LimitLeft({ budget }: { readonly budget: KeyRowFragment['budget'] }) {
  if (!budget) return <span className="kit-soft">none</span>;
  const { amount, period, spent, held, endsAt } = budget;
  const share = Math.min(1, (spent + held) / amount);
  const text = `${money(spent + held)} of ${money(amount)} ${IN[period]}`;
  return (
    <div
      style={{ width: '8.75rem', whiteSpace: 'normal' }}
      title={endsAt ? `Resets on ${fullTime(endsAt)}` : undefined}
    >
      {text}
      <Progress value={100 * share} color={colorOf(share)} size="sm" mt={4} aria-label={`Spending limit: ${text}`} />
    </div>
  );
}

function colorOf(share: number): string {
  if (share >= 1) return 'red';
  return share >= NEARLY ? 'yellow' : 'blue';
}
