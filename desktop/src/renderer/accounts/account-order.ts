import type { Sort } from '@ocr-router/ui/table/column.ts';
import type { AccountOrder } from '../../documents.generated.ts';

const ORDERS: readonly AccountOrder[] = ['email', 'available', 'owed', 'requests', 'cost'];

/** What the list is sorted by, as it stands in the address: `cost`, or `-cost` for the largest first. */
export function readOrder(text: string | null): Sort & { readonly column: AccountOrder } {
  const descending = text?.startsWith('-') ?? false;
  const column = ORDERS.find((order) => order === text?.slice(descending ? 1 : 0));
  return column === undefined ? { column: 'email', descending: false } : { column, descending };
}

/** After a click on a column: figures begin with the largest, addresses with the first; null is the usual order. */
export function nextOrder(now: Sort, column: string): string | null {
  if (column === 'email') return now.column === 'email' && !now.descending ? '-email' : null;
  if (now.column !== column) return `-${column}`;
  return now.descending ? column : null;
}
