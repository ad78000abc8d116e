import { isExpired } from '../../accounts/store/history-sql.ts';

/**
 * What is left of URL and origin of a delivery (an alias) whose request was deleted, as SQL: nothing where `isOver` (a condition)
 * holds, because a URL may contain a secret of its receiver. A URL that the account has registered stays.
 */
function urlLeft(delivery: string, isOver: string): { readonly url: string; readonly origin: string } {
  const goes = `${isOver} and not exists (
    select from webhook w where w.account_id = ${delivery}.account_id and w.url = ${delivery}.url)`;
  const left = (column: string) => `case when ${goes} then '' else ${delivery}.${column} end`;
  return { url: left('url'), origin: left('origin') };
}

/** Assignments for an update of `delivery`, likewise. */
export function withoutUrl(delivery: string, isOver: string): string {
  const { url, origin } = urlLeft(delivery, isOver);
  return `url = ${url}, origin = ${origin}`;
}

/** Assignments for an update of delivery `d` whose request is deleted. It tells of no more than is left from now on. */
export const FORGET_DELIVERY = `body = null, error = null, is_discarded = true, ${withoutUrl('d', 'd.finished_at is not null')}`;

/** Likewise for an attempt to deliver it. */
export const FORGET_DELIVERY_ATTEMPT = 'error = null, headers = null';

/** The condition that the days of the request of delivery `d` are over: it was made as the request ended. */
export const IS_EXPIRED = `(d.request_id is not null and ${isExpired('d.account_id', 'd.created_at')})`;

/** Columns of delivery `d` as they are read: once the days are over, as a deletion leaves them. */
export const SHOWN_DELIVERY = {
  ...urlLeft('d', `d.finished_at is not null and ${IS_EXPIRED}`),
  error: `case when not ${IS_EXPIRED} then d.error end`,
};
