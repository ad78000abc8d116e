import type { Caller } from '../accounts/callers/caller.ts';
import { cutPage, type PageWish } from '../database/paging/page-info.type.ts';
import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import { HAS_URL, SENT_AGAIN } from './delivery-log.ts';
import type { FailedDelivery, FailedDeliveryPage } from './failed-delivery.type.ts';
import { shownUrl } from './shown-delivery.ts';
import { SHOWN_DELIVERY } from './sql/left-sql.ts';

/** Most deliveries that one call sends again. */
export const MOST_AGAIN = 100;

const DELIVERY_ID = /^whd_[0-9A-HJKMNP-TV-Z]{26}$/;
const ABOVE_ALL_IDS = 'whd_~';

/** Reads a page by `webhook_delivery_failed_index`, which has failed deliveries only. */
const PAGE = {
  name: 'webhook-failed',
  text: `select d.id, d.account_id as "accountId", (select a.email from account a where a.id = d.account_id) as "accountEmail",
           d.request_id as "requestId", d.url, d.origin as receiver, d.round, d.attempt, d.response_code as "responseCode",
           ${SHOWN_DELIVERY.error} as error, d.created_at as "announcedAt", d.finished_at as "failedAt"
         from webhook_delivery d
         where d.status = 'failed' and ${HAS_URL} and d.id < $1 and ($2::uuid is null or d.account_id = $2)
           and ($3::text is null or d.origin = $3) and ($4::timestamptz is null or d.finished_at >= $4)
         order by d.id desc limit $5`,
};

const AGAIN = {
  name: 'webhook-failed-again',
  text: `${SENT_AGAIN} where d.id = any($1::text[]) and d.status = 'failed' and ${HAS_URL} returning d.id`,
};

/** The filter of the list; null does not narrow it. */
interface FailedFilter {
  readonly accountId: string | null;
  readonly receiver: string | null;
  /** Given up at this time or later. */
  readonly since: Date | null;
}

/** The failed webhooks of all accounts: lists them, and sends many of them again. */
export class FailedDeliveries {
  readonly #pool: Pool;
  readonly #wake: () => void;

  constructor(pool: Pool, wake: () => void) {
    this.#pool = pool;
    this.#wake = wake;
  }

  async page(
    { accountId, receiver, since }: FailedFilter,
    { size, after, caller }: PageWish & { readonly caller: Caller | null },
  ): Promise<FailedDeliveryPage> {
    if (after !== null && !DELIVERY_ID.test(after)) throw new AppError('invalid_request', 'after: is not a cursor.');
    const values = [after ?? ABOVE_ALL_IDS, accountId, receiver, since, size + 1];
    const rows = await query<FailedDelivery>(this.#pool, PAGE, values);
    const shown = rows.map((row) => ({ ...row, url: shownUrl(caller, row) }));
    return cutPage<FailedDelivery>(shown, { size, after }, ({ id }) => id);
  }

  /**
   * Sends failed deliveries again, and answers how many. Ids of deliveries that have not failed, or not any more, are left out.
   */
  async sendAgain(ids: readonly string[]): Promise<number> {
    if (ids.length === 0 || ids.length > MOST_AGAIN || ids.some((id) => !DELIVERY_ID.test(id))) {
      throw new AppError('invalid_request', `deliveryIds: must be 1 to ${MOST_AGAIN} ids of deliveries.`);
    }
    const again = await query(this.#pool, AGAIN, [[...ids]]);
    if (again.length > 0) this.#wake();
    return again.length;
  }
}
