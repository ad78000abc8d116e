import { DayBars } from '@ocr-router/ui/charts/day-bars.tsx';
import { age } from '@ocr-router/ui/format/age.ts';
import { count } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import type { Column } from '@ocr-router/ui/table/column.ts';
import type { AccountLineFragment, AccountUsageLineFragment } from '../../documents.generated.ts';
import classes from './accounts.module.css';

type AccountColumn = Column<AccountUsageLineFragment>;

/** Room for `$12,345,678.90`: a sum that is cut could be taken for another. */
const MILLIONS_PX = 132;

const EMAIL: AccountColumn = {
  id: 'email',
  header: 'Account',
  leastPx: 240,
  sortable: true,
  cell: ({ account: { email, demo } }) => (
    <span className={classes['email']} title={email}>
      <span className={classes['emailText']}>{email}</span>
      {demo && <span className={classes['demo']}>demo</span>}
    </span>
  ),
};
const AVAILABLE: AccountColumn = {
  ...figure('available', 'Available', ({ account }) => account.balance.available),
  widthPx: MILLIONS_PX,
  sortable: true,
};
const OWED: AccountColumn = {
  ...figure('owed', 'Owed', ({ account }) => account.balance.owed),
  widthPx: MILLIONS_PX,
  sortable: true,
  cell: ({ account: { balance } }) => (
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
  cell: ({ account: { keys } }) => count(keys.filter(({ revokedAt }) => revokedAt == null).length),
};
const USED: AccountColumn = {
  id: 'used',
  header: 'Last used',
  widthPx: 108,
  cell: ({ account }) => age(lastUse(account)),
};

const BY_DAY: AccountColumn = {
  id: 'costByDay',
  header: 'Charged by day',
  widthPx: 128,
  cell: ({ account: { email }, costByDay }) => <DayBars charges={costByDay} label={`Charged by day, ${email}`} />,
};

/** What operators look for first; what was used is of the last `days`. */
export function wideColumns(days: number): readonly AccountColumn[] {
  const span = `${days} d`;
  return [
    EMAIL,
    AVAILABLE,
    OWED,
    {
      ...{ id: 'requests', header: `Requests, ${span}`, widthPx: 144, align: 'right', sortable: true },
      cell: ({ requests }) => count(requests),
    },
    { ...figure('cost', `Charged, ${span}`, ({ cost }) => cost), widthPx: 144, sortable: true },
    ...(days > 1 ? [BY_DAY] : []),
    USED,
    KEYS,
    { id: 'tier', header: 'Tier', widthPx: 84, cell: ({ account }) => account.tier },
    { id: 'history', header: 'Texts', widthPx: 76, cell: ({ account }) => (account.history ? 'kept' : 'not kept') },
    { ...figure('held', 'Held', ({ account }) => account.balance.held), widthPx: MILLIONS_PX },
    { ...figure('spent', 'Charged, all time', ({ account }) => account.balance.spent), widthPx: 140 },
  ];
}

/** Beside the open panel. */
export const NARROW_COLUMNS: readonly AccountColumn[] = [EMAIL, AVAILABLE, OWED];

/** The last use of any of its keys; null before the first. */
function lastUse({ keys }: AccountLineFragment): string | null {
  const uses = keys.map(({ lastUsedAt }) => lastUsedAt).filter((at) => at != null);
  return uses.sort().at(-1) ?? null;
}

function figure(id: string, header: string, value: (row: AccountUsageLineFragment) => number): AccountColumn {
  return { id, header, widthPx: 104, align: 'right', cell: (row) => money(value(row)) };
}
