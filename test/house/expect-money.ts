import { expect } from 'vitest';
import type { House } from './house.ts';

/** Expects what an account can spend, and that nothing of it is held or owed. */
export async function expectBalance(house: House, accountId: string, usd: number): Promise<void> {
  const { balance_usd, held_usd, owed_usd } = await house.admin.showAccount(accountId);
  expect({ balance_usd, held_usd, owed_usd }).toEqual({ balance_usd: usd, held_usd: 0, owed_usd: 0 });
}
