import { keepsText } from '../accounts/store/history-sql.ts';
import { type Pool, query } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { Delivery } from './delivery.ts';
import { SIGNATURE_HEADER } from './signing/signature.ts';
import { originOf } from './sql/announce-sql.ts';
import { IS_EXPIRED, SHOWN_DELIVERY } from './sql/left-sql.ts';
import type { Webhook } from './webhook.ts';

const SHOWN = 100;

/** Whether what was read, and what is made of it, may be shown. */
const IS_KEPT = `(d.request_id is null or ${keepsText('d.account_id', 'd.created_at', 'd.created_at')})`;

/** Columns of an attempt `t` to send delivery `d` as they are read. The signature is made of the body. */
const SHOWN_ATTEMPT = {
  error: `case when not ${IS_EXPIRED} then t.error end`,
  headers: `case when ${IS_KEPT} then t.headers when not ${IS_EXPIRED} then t.headers - '${SIGNATURE_HEADER}' end`,
};

const DELIVERY = `
  d.id, d.account_id as "accountId", d.request_id as "requestId", ${SHOWN_DELIVERY.url} as url,
  ${SHOWN_DELIVERY.origin} as origin, d.event,
  case when ${IS_KEPT} then d.body end as body`;

/**
 * The statement for the latest entries of the log: attempts, and pending deliveries that have no attempt yet. $1 is compared with
 * the column `owner`, which has an index in both tables.
 */
function listing(owner: 'account_id' | 'webhook_id', name: string) {
  return {
    name,
    text: `
    select * from (
      (select ${DELIVERY}, t.webhook_id as "webhookId", t.status, t.round, t.attempt, t.response_code as "responseCode",
         t.latency_ms as "latencyMs", ${SHOWN_ATTEMPT.error} as error, t.created_at as "createdAt",
         ${SHOWN_ATTEMPT.headers} as headers, t.id as place
       from webhook_attempt t join webhook_delivery d on d.id = t.delivery_id
       where t.${owner} = $1 order by t.id desc limit ${SHOWN})
      union all
      (select ${DELIVERY}, d.webhook_id, d.status, d.round, 0, null, null, null, d.created_at, null, null
       from webhook_delivery d where d.${owner} = $1 and d.status = 'pending' and d.attempt = 0
       order by d.id desc limit ${SHOWN})
    ) entry order by "createdAt" desc, place desc nulls first limit ${SHOWN}`,
  };
}

const OF_ACCOUNT = listing('account_id', 'webhook-log-of-account');
const OF_WEBHOOK = listing('webhook_id', 'webhook-log-of-webhook');

/** Every attempt to announce the requests $1, and their pending announcements that have no attempt yet, oldest first. */
export const OF_REQUESTS = {
  name: 'webhook-log-of-requests',
  repeatable: true,
  text: `
  select * from (
    select ${DELIVERY}, t.webhook_id as "webhookId", t.status, t.round, t.attempt, t.response_code as "responseCode",
      t.latency_ms as "latencyMs", ${SHOWN_ATTEMPT.error} as error, t.created_at as "createdAt",
      ${SHOWN_ATTEMPT.headers} as headers, t.id as place
    from webhook_delivery d join webhook_attempt t on t.delivery_id = d.id where d.request_id = any($1::text[])
    union all
    select ${DELIVERY}, d.webhook_id, d.status, d.round, 0, null, null, null, d.created_at, null, null
    from webhook_delivery d where d.request_id = any($1::text[]) and d.status = 'pending' and d.attempt = 0
  ) entry order by "createdAt", place nulls last`,
};

const STATE = `${DELIVERY}, d.webhook_id as "webhookId", d.status, d.round, d.attempt, d.response_code as "responseCode",
  d.latency_ms as "latencyMs", ${SHOWN_DELIVERY.error} as error, d.created_at as "createdAt"`;

const PING = {
  name: 'webhook-ping',
  text: `insert into webhook_delivery as d (id, account_id, webhook_id, url, origin, event, is_failure, body, status, created_at)
         values ($1, $2, $3, $4, ${originOf('$4::text')}, 'webhook.test', false, $5, 'pending', $6) returning ${STATE}`,
};

/**
 * Makes a delivery pending again. The stored body stays, so that the same bytes are sent; where none is stored, or none may be
 * kept any more (history is off), it is rendered again. Where the days of its request are over, it tells of what a deletion leaves.
 */
export const SENT_AGAIN = `update webhook_delivery d set status = 'pending', round = d.round + 1, attempt = 0,
  response_code = null, latency_ms = null, error = null, next_attempt_at = now(), finished_at = null,
  body = case when ${IS_KEPT} then d.body end, is_discarded = d.is_discarded or ${IS_EXPIRED}`;

/** The condition that it is known where delivery `d` goes. */
export const HAS_URL = `${SHOWN_DELIVERY.url} <> ''`;

const REDELIVER = {
  name: 'webhook-redeliver',
  text: `${SENT_AGAIN}
         where d.id = $1 and ($2::uuid is null or d.account_id = $2) and d.status <> 'pending' and ${HAS_URL} returning ${STATE}`,
};

const FIND = {
  name: 'webhook-delivery-find',
  text: `select ${STATE} from webhook_delivery d where d.id = $1 and ($2::uuid is null or d.account_id = $2)`,
};

/** The log of what was sent to the receivers of an account. It also sends pings, and deliveries again. */
export class DeliveryLog {
  readonly #pool: Pool;
  readonly #wake: () => void;

  constructor(pool: Pool, wake: () => void) {
    this.#pool = pool;
    this.#wake = wake;
  }

  /** The latest 100 attempts to a registration's URL, newest first. */
  async ofWebhook({ id }: Webhook): Promise<Delivery[]> {
    return (await query<Partial<Delivery>>(this.#pool, OF_WEBHOOK, [id])).map(toDelivery);
  }

  /** The latest 100 attempts of the account, to registered URLs and others, newest first. */
  async ofAccount(accountId: string): Promise<Delivery[]> {
    return (await query<Partial<Delivery>>(this.#pool, OF_ACCOUNT, [accountId])).map(toDelivery);
  }

  /** Sends `webhook.test` to a registration's URL. */
  async ping({ id, accountId, url }: Webhook): Promise<Delivery> {
    const now = new Date();
    const body = JSON.stringify({ event: 'webhook.test', webhook_id: id, timestamp: now.toISOString() });
    const [row] = await query<Partial<Delivery>>(this.#pool, PING, [newId('whd_'), accountId, id, url, body, now]);
    this.#wake();
    return toDelivery(row ?? {});
  }

  /** The delivery with this id, of this account (null: of any). Throws `not_found`. */
  async find(accountId: string | null, deliveryId: string): Promise<Delivery> {
    const [row] = await query<Partial<Delivery>>(this.#pool, FIND, [deliveryId, accountId]);
    if (!row) throw new AppError('not_found', 'There is no such delivery in your account.');
    return toDelivery(row);
  }

  /**
   * Sends a delivery of this account (null: of any) again, from its first attempt. A pending delivery stays as it is. Throws
   * `invalid_request` where the URL is gone with the deleted request.
   */
  async redeliver(accountId: string | null, deliveryId: string): Promise<Delivery> {
    const [again] = await query<Partial<Delivery>>(this.#pool, REDELIVER, [deliveryId, accountId]);
    const delivery = again ? toDelivery(again) : await this.find(accountId, deliveryId);
    if (delivery.url === '') {
      throw new AppError('invalid_request', 'Its request was deleted, and with it where its webhook was sent.');
    }
    this.#wake();
    return delivery;
  }
}

function toDelivery(row: Partial<Delivery>): Delivery {
  return Object.assign(new Delivery(), row);
}
