import { money } from '@ocr-router/ui/format/money.ts';
import type { MeQuery } from '../documents.generated.ts';
import { Tiles } from '../kit/tiles.tsx';

type Balance = Pick<MeQuery['account']['balance'], 'available' | 'held' | 'spent' | 'owed'>;

/** What can be spent, is reserved, was spent, and is owed. */
export function BalanceTiles({ balance }: { readonly balance: Balance }) {
  const { available, held, spent, owed } = balance;
  return (
    <Tiles
      tiles={[
        { name: 'Available', value: money(available), note: 'can be spent now' },
        { name: 'Held', value: money(held), note: 'reserved for running requests' },
        { name: 'Charged', value: money(spent), note: 'all time, before refunds' },
        { name: 'Owed', value: money(owed), note: owed > 0 ? 'the next top-up pays it first' : 'nothing is owed' },
      ]}
    />
  );
}
