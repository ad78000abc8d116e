import type { ListedAccounts } from './list-accounts.ts';

const HEADER = ['email', 'account', 'tier', 'balance USD', 'held USD', 'owed USD', 'created'];
const IS_AMOUNT = /USD$/;

/** Listed accounts for people: a line each, and how the next page is asked for below. */
export function accountsTable({ data, next }: ListedAccounts): string {
  const rows = data.map((one) => [
    ...[one.email, one.account_id, one.tier],
    ...[one.balance_usd, one.held_usd, one.owed_usd].map(String),
    one.created_at.slice(0, 10),
  ]);
  const widths = HEADER.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const lines = [HEADER, ...rows].map((row) =>
    row
      .map((cell, at) =>
        IS_AMOUNT.test(HEADER[at] ?? '') ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  if (next !== null) lines.push(`There are more: --after '${next}'`);
  return lines.join('\n');
}
