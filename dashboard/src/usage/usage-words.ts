import { count, shortCount } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';

/** Requests that gave no text: they failed, or were rejected before any engine ran. Partial ones were read in part. */
export const NOT_READ = 'Not read';
export const NOT_READ_CHARGED = 'Not read, but charged';

/** How many of an account's requests gave no text, in the words of their statuses. */
export function notReadNote(requests: number): string {
  if (requests === 0) return 'none failed, none was rejected';
  return `${count(requests)} failed or ${requests === 1 ? 'was' : 'were'} rejected`;
}

/** Money beside an axis, short. */
export function moneyTick(value: number): string {
  return value < 10_000 ? money(value) : `$${shortCount(value)}`;
}
