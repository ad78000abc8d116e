import { readsTexts } from '../accounts/callers/account-scope.ts';
import type { Caller } from '../accounts/callers/caller.ts';
import { withoutQuery } from '../platform/egress/without-query.ts';
import type { Delivery } from './delivery.ts';

/** An address of an account as the caller sees it: operators of others without its query. Empty where it is not known any more. */
export function shownUrl(caller: Caller | null, { accountId, url }: { accountId: string; url: string }): string {
  return caller?.accountId === accountId ? url : (withoutQuery(url) ?? '');
}

/** A delivery as the caller sees it. */
export function shownDelivery(caller: Caller | null, delivery: Delivery): Delivery {
  if (readsTexts(caller, delivery.accountId)) return delivery;
  return Object.assign(delivery.withoutBody(), { url: shownUrl(caller, delivery) });
}
