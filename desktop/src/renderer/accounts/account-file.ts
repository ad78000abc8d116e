import type { AccountLineFragment } from '../../documents.generated.ts';
import type { FileColumn } from '../kit/export-button.tsx';

/** An account as a line of a file. */
export const ACCOUNT_FILE: ReadonlyArray<FileColumn<AccountLineFragment>> = [
  { header: 'id', value: ({ id }) => id },
  { header: 'email', value: ({ email }) => email },
  { header: 'tier', value: ({ tier }) => tier },
  { header: 'created_at', value: ({ createdAt }) => createdAt },
  { header: 'keeps_texts', value: ({ history }) => (history ? 'yes' : 'no') },
  { header: 'keys', value: ({ keys }) => keys.filter(({ revokedAt }) => revokedAt === null).length },
  { header: 'available_usd', value: ({ balance }) => balance.available },
  { header: 'held_usd', value: ({ balance }) => balance.held },
  { header: 'owed_usd', value: ({ balance }) => balance.owed },
  { header: 'charged_usd', value: ({ balance }) => balance.spent },
];
