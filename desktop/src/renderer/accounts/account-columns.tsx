import { age } from '@ocr-router/ui/format/age.ts';
import { count } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import type { Column } from '@ocr-router/ui/table/column.ts';
import type { AccountLineFragment } from '../../documents.generated.ts';
import classes from './accounts.module.css';

type AccountColumn = Column<AccountLineFragment>;

const EMAIL: AccountColumn = {
  id: 'email',
  header: 'Account',
  cell: ({ email, demo }) => (
    <span className={classes['email']} title={email}>
      <span className={classes['emailText']}>{email}</span>
      {demo && <span className={classes['demo']}>demo</span>}
    </span>
  ),
};
const AVAILABLE = figure('available', 'Available', ({ balance }) => balance.available);
const OWED: AccountColumn = {
  ...figure('owed', 'Owed', ({ balance }) => balance.owed),
  cell: ({ balance }) => (
    <span className={balance.owed > 0 ? classes['owed'] : 'kit-soft'}>
      {balance.owed > 0 ? money(balance.owed) : '–'}
    </span>
  ),
};
const KEYS: AccountColumn = {
  id: 'keys',
  header: 'Keys',
  widthPx: 64,
  align: 'right',
  cell: ({ keys }) => count(keys.filter(({ revokedAt }) => revokedAt == null).length),
};
const USED: AccountColumn = { id: 'used', header: 'Last used', widthPx: 132, cell: (row) => age(lastUse(row)) };

/** Everything that a line has room for. */
export const WIDE_COLUMNS: readonly AccountColumn[] = [
  EMAIL,
  { id: 'tier', header: 'Tier', widthPx: 84, cell: ({ tier }) => tier },
  { id: 'history', header: 'Texts', widthPx: 84, cell: ({ history }) => (history ? 'kept' : 'not kept') },
  KEYS,
  AVAILABLE,
  figure('held', 'Held', ({ balance }) => balance.held),
  OWED,
  figure('spent', 'Charged', ({ balance }) => balance.spent),
  USED,
];

/** Beside the open panel. */
export const NARROW_COLUMNS: readonly AccountColumn[] = [EMAIL, AVAILABLE, OWED];

/** The last use of any of its keys; null before the first. */
function lastUse({ keys }: AccountLineFragment): string | null {
  const uses = keys.map(({ lastUsedAt }) => lastUsedAt).filter((at) => at != null);
  return uses.sort().at(-1) ?? null;
}

function figure(id: string, header: string, value: (row: AccountLineFragment) => number): AccountColumn {
  return { id, header, widthPx: 104, align: 'right', cell: (row) => money(value(row)) };
}
