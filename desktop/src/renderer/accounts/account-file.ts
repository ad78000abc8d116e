import type { AccountUsageLineFragment } from '../../documents.generated.ts';
import type { FileColumn } from '../kit/export-button.tsx';

/** An account as a line of a file; what it used is of the last `days`. */
export function accountFile(days: number): ReadonlyArray<FileColumn<AccountUsageLineFragment>> {
  return [
    { header: 'id', value: ({ account }) => account.id },
    { header: 'email', value: ({ account }) => account.email },
    { header: 'tier', value: ({ account }) => account.tier },
    { header: 'created_at', value: ({ account }) => account.createdAt },
    { header: 'keeps_texts', value: ({ account }) => (account.history ? 'yes' : 'no') },
    { header: 'keys', value: ({ account }) => account.keys.filter(({ revokedAt }) => revokedAt === null).length },
    { header: 'available_usd', value: ({ account }) => account.balance.available },
    { header: 'held_usd', value: ({ account }) => account.balance.held },
    { header: 'owed_usd', value: ({ account }) => account.balance.owed },
    { header: 'charged_usd', value: ({ account }) => account.balance.spent },
    { header: `requests_${days}_days`, value: ({ requests }) => requests },
    { header: `charged_${days}_days_usd`, value: ({ cost }) => cost },
  ];
}
