import { expect, it } from 'vitest';
import { nextOrder, readOrder } from './account-order.ts';

it('reads an order from the address, the usual one from anything else', () => {
  expect(readOrder('-cost')).toEqual({ column: 'cost', descending: true });
  expect(readOrder('owed')).toEqual({ column: 'owed', descending: false });
  for (const text of [null, '', '-', 'tier']) expect(readOrder(text)).toEqual({ column: 'email', descending: false });
});

it('begins with the largest figure, turns round, and comes back to the addresses', () => {
  const clicks = ['cost', 'cost', 'cost', 'email', 'email', 'owed'];
  const seen: (string | null)[] = [];
  for (const column of clicks) seen.push(nextOrder(readOrder(seen.at(-1) ?? null), column));
  expect(seen).toEqual(['-cost', 'cost', null, '-email', null, '-owed']);
});
