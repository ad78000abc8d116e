import { expect, it } from 'vitest';
import { accountsTable } from './accounts-table.ts';

const ANN = {
  ...{ account_id: '0b1d9c4e-0000-4000-8000-000000000001', email: 'ann@example.com', tier: 'free' as const },
  ...{ history: true, text_days: null, created_at: '2026-11-22T18:40:11.204Z' },
  ...{ balance_usd: 4.99, held_usd: 0, owed_usd: 0 },
};

it('a table has a line for each account, with amounts below each other, and says how the next page is asked for', () => {
  const bob = { ...ANN, email: 'bob@example.com', balance_usd: 0, owed_usd: 12.345 };
  expect(accountsTable({ data: [ANN, bob], next: 'bob@example.com' }).split('\n')).toEqual([
    'email            account                               tier  balance USD  held USD  owed USD  created',
    'ann@example.com  0b1d9c4e-0000-4000-8000-000000000001  free         4.99         0         0  2026-11-22',
    'bob@example.com  0b1d9c4e-0000-4000-8000-000000000001  free            0         0    12.345  2026-11-22',
    "There are more: --after 'bob@example.com'",
  ]);
  expect(accountsTable({ data: [], next: null })).toMatch(/^email +account +tier .* created$/);
});
