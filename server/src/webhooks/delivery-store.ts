import { keepsText } from '../accounts/store/history-sql.ts';
import { type Pool, query } from '../database/pool.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import { subjectOf } from '../database/secrets/stored-secrets.ts';
import { withoutUrl } from './announce-sql.ts';
import { Delivery } from './delivery.ts';
import type { Exchange } from './exchange.ts';
import type { Busy } from './receiver-slots.ts';
import type { Registration } from './route-delivery.ts';
import { SIGNATURE_HEADER } from './signature.ts';

/** How many deliveries may be under way at once. */
export interface ClaimLimits {
  readonly perReceiver: number;
  readonly perAccount: number;
  /** Of one account to one receiver. */
  readonly perLine: number;
  /** How often a delivery is tried, including attempts whose end is not known. */
  readonly attempts: number;
  /** How many processes in a row may die of it before they send anything. */
  readonly unsent: number;
}

/** A delivery under this process's lease, with what decides how it is sent. */
export interface Claimed {
  readonly delivery: Delivery;
  readonly registrations: readonly Registration[];
  readonly accountSecret: string;
}

const COLUMNS = `
  d.id, d.account_id as "accountId", d.webhook_id as "webhookId", d.request_id as "requestId", d.url, d.origin, d.event,
  d.is_failure as "isFailure", d.engine, d.cost, d.trace, d.body, d.is_discarded as "isDiscarded", d.status, d.round, d.attempt, d.fence,
  d.created_at as "createdAt"`;

/** What became of an attempt: `retried` will be made once more. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'skipped' | 'retried';

const LOST = 'Whether it arrived is unknown: the process that sent it ended.';
const UNSENT = 'Nothing was sent: process after process ended before it could send it.';

/**
 * That the lease of `d` ran out when its receiver may have heard of it. Processes of the version before leave `unsent` as it
 * is: what they have sent has a body.
 */
const WAS_SENT = 'd.lease_owner is not null and (d.unsent = 0 or d.body is not null)';

/**
 * Takes what is due, line by line (the deliveries of one account to one receiver): each one with a place gets its oldest,
 * however many wait in the others. At a receiver the accounts take turns. A lease that ran out belonged to a process that
 * died in the middle, or that could not write the end down: where it may have sent something that attempt counts, and is the last
 * one where it was the last that is made; where it has sent nothing its death counts, so that no delivery kills one process after
 * the other for ever. $4 to $6: places of a receiver, an account and a line; $7 to $9: those that are taken; $10: most
 * attempts; $11: most claims in a row with nothing sent.
 */
const CLAIM = {
  name: 'webhook-claim',
  text: `
  with recursive line(origin, account_id) as (
    (select origin, account_id from webhook_delivery where status = 'pending' order by origin, account_id limit 1)
    union all
    select next.origin, next.account_id from line l cross join lateral (
      select d.origin, d.account_id from webhook_delivery d
      where d.status = 'pending' and (d.origin, d.account_id) > (l.origin, l.account_id)
      order by d.origin, d.account_id limit 1) next
  ),
  place as (
    select origin, account_id, coalesce(($9::jsonb ->> (account_id || ' ' || origin))::int, 0) as busy,
      $4::int - coalesce(($7::jsonb ->> origin)::int, 0) as of_receiver,
      $5::int - coalesce(($8::jsonb ->> account_id::text)::int, 0) as of_account
    from line
  ),
  due as materialized (
    select d.id, d.next_attempt_at, p.origin, p.account_id, p.of_receiver, p.of_account,
      p.busy + row_number() over (partition by p.origin, p.account_id order by d.next_attempt_at) as turn
    from place p cross join lateral (
      select id, next_attempt_at from webhook_delivery
      where status = 'pending' and origin = p.origin and account_id = p.account_id and next_attempt_at <= now()
      order by next_attempt_at limit greatest(0, least(p.of_receiver, p.of_account, $6::int - p.busy))) d
  ),
  ranked as (
    select id, next_attempt_at, of_receiver, of_account,
      row_number() over (partition by origin order by turn, next_attempt_at) as at_receiver,
      row_number() over (partition by account_id order by turn, next_attempt_at) as for_account
    from due
  ),
  candidate as materialized (
    select id from ranked where at_receiver <= of_receiver and for_account <= of_account
    order by next_attempt_at limit $3
  ),
  next as materialized (
    select d.id, d.lease_owner, d.round, d.attempt, d.webhook_id, d.account_id, ${WAS_SENT} as was_sent,
      d.lease_owner is not null and case when ${WAS_SENT} then d.attempt + 1 >= $10::int else d.unsent >= $11::int end as is_over
    from webhook_delivery d
    where d.id = any(array(select id from candidate)) and d.status = 'pending' and d.next_attempt_at <= now()
    for update skip locked
  ),
  lost as (
    insert into webhook_attempt (delivery_id, account_id, webhook_id, round, attempt, status, error, created_at)
    select id, account_id, webhook_id, round, case when was_sent then attempt + 1 else 0 end, 'failed',
      case when was_sent then '${LOST}' else '${UNSENT}' end, now()
    from next where was_sent or is_over
  ),
  over as (
    update webhook_delivery d set status = 'failed', attempt = d.attempt + n.was_sent::int, lease_owner = null,
      fence = d.fence + 1, response_code = null, latency_ms = null,
      error = case when n.was_sent then '${LOST}' else '${UNSENT}' end, finished_at = now(),
      body = case when d.request_id is null or (select a.history from account a where a.id = d.account_id) then d.body end,
      ${withoutUrl('d', 'd.is_discarded')}
    from next n where d.id = n.id and n.is_over
  )
  update webhook_delivery d set lease_owner = $1, fence = d.fence + 1, next_attempt_at = now() + $2::interval,
    attempt = d.attempt + n.was_sent::int,
    unsent = case when d.body is not null then 0 when n.lease_owner is null or n.was_sent then 1 else d.unsent + 1 end
  from next n where d.id = n.id and not n.is_over
  returning ${COLUMNS},
    (select a.signing_secret from account a where a.id = d.account_id) as "accountSecret",
    coalesce((
      select json_agg(json_build_object('id', w.id, 'secret', w.signing_secret, 'isActive', w.is_active, 'events', w.events,
        'previousSecret', case when w.previous_secret_until > now() then w.previous_secret end)
        order by w.created_at, w.id)
      from webhook w
      where w.account_id = d.account_id and case when d.event = 'webhook.test' then w.id = d.webhook_id else w.url = d.url end
    ), '[]') as registrations`,
};

/**
 * What was rendered before its request was deleted is not kept; the row itself says so, which no snapshot hides. From here on the
 * receiver may hear of it, and the lease is that of the sending.
 */
const KEEP_BODY = {
  name: 'webhook-keep-body',
  text: `update webhook_delivery set body = case when not is_discarded then $3 end,
           unsent = 0, next_attempt_at = now() + $4::interval
         where id = $1 and fence = $2 and status = 'pending' and lease_owner is not null
         returning body is not null as "isKept"`,
};

/**
 * Ends an attempt. What is over keeps its body only where the account keeps history, and its URL unless its request was deleted. The
 * signature is made of the body, and is kept where that may be.
 */
const CLOSE = {
  name: 'webhook-close',
  text: `
  with closed as (
    update webhook_delivery d set status = $3, attempt = d.attempt + $4, webhook_id = coalesce($5, d.webhook_id),
      response_code = $6, latency_ms = $7, error = $8, lease_owner = null,
      next_attempt_at = now() + $9::interval, finished_at = case when $3 = 'pending' then null else now() end,
      body = case when $3 = 'pending' or d.request_id is null
        or ${keepsText('d.account_id', 'd.created_at')} then d.body end,
      ${withoutUrl('d', "d.is_discarded and $3 <> 'pending'")}
    where d.id = $1 and d.fence = $2 and d.status = 'pending' and d.lease_owner is not null
    returning d.id, d.account_id, d.webhook_id, d.round, d.attempt, d.request_id, d.created_at, d.is_discarded
  )
  insert into webhook_attempt (delivery_id, account_id, webhook_id, round, attempt, status, response_code, latency_ms, error,
    created_at, headers)
  select id, account_id, webhook_id, round, $4 * attempt, case when $3 = 'pending' then 'failed' else $3 end, $6, $7, $8, $10,
    case when is_discarded then null when request_id is null or ${keepsText('closed.account_id', 'closed.created_at')} then $11::jsonb
      else $11::jsonb - '${SIGNATURE_HEADER}' end
  from closed returning id`,
};

/** The longer it waits already, the later it is tried again. */
const PUT_OFF = `least(interval '1 minute', greatest(interval '1 second', (now() - created_at) / 10))`;

const HAND_BACK = {
  name: 'webhook-hand-back',
  text: `update webhook_delivery set lease_owner = null,
           next_attempt_at = now() + case when $3::boolean then ${PUT_OFF} else interval '0' end
         where id = $1 and fence = $2 and status = 'pending' and lease_owner is not null`,
};

interface Closing {
  readonly webhookId: string | null;
  readonly startedAt: Date;
  readonly retryAfterMs: number | null;
  /** What it was sent with; null where nothing was sent. */
  readonly headers?: Readonly<Record<string, string>> | null;
}

/** Who delivers what: leases with an end and a fencing number, and the log of what came of them. */
export class DeliveryStore {
  readonly #pool: Pool;
  readonly #secrets: Secrets;
  readonly #owner: string;
  readonly #lease: string;
  readonly #onOutcome: (outcome: DeliveryOutcome) => void;

  constructor(
    pool: Pool,
    secrets: Secrets,
    options: { owner: string; leaseMs: number; onOutcome?: (outcome: DeliveryOutcome) => void },
  ) {
    this.#onOutcome = options.onOutcome ?? (() => undefined);
    this.#pool = pool;
    this.#secrets = secrets;
    this.#owner = options.owner;
    this.#lease = `${options.leaseMs} milliseconds`;
  }

  /** Takes up to `most` deliveries that are due, within the limits, of which `busy` has taken a part. */
  async claim(most: number, within: ClaimLimits, busy: Busy): Promise<Claimed[]> {
    const { perReceiver, perAccount, perLine, attempts, unsent } = within;
    type Row = Partial<Delivery> & { accountSecret: string; registrations: Registration[] };
    const taken = [busy.receivers, busy.accounts, busy.lines].map((counts) =>
      JSON.stringify(Object.fromEntries(counts)),
    );
    const limits = [most, perReceiver, perAccount, perLine];
    const mosts = [attempts, unsent];
    const rows = await query<Row>(this.#pool, CLAIM, [this.#owner, this.#lease, ...limits, ...taken, ...mosts]);
    const claimed: Claimed[] = [];
    for (const { accountSecret, registrations, ...row } of rows) {
      const delivery = Object.assign(new Delivery(), row);
      try {
        claimed.push({
          delivery,
          registrations: registrations.map((registration) => this.#opened(registration)),
          accountSecret: this.#secrets.open(subjectOf('account', delivery.accountId), accountSecret),
        });
      } catch {
        // A secret that does not open is one account's trouble: the others' deliveries go out.
        await this.#giveUp(delivery);
      }
    }
    return claimed;
  }

  #giveUp(delivery: Delivery): Promise<void> {
    const error = 'The signing secret cannot be opened; nothing was sent.';
    const outcome = { delivered: false, responseCode: null, latencyMs: null, error };
    return this.close(delivery, outcome, {
      webhookId: delivery.webhookId,
      startedAt: new Date(),
      retryAfterMs: null,
      headers: null,
    });
  }

  #opened(registration: Registration): Registration {
    const open = (stored: string) => this.#secrets.open(subjectOf('webhook', registration.id), stored);
    const { secret, previousSecret } = registration;
    return {
      ...registration,
      secret: open(secret),
      previousSecret: previousSecret === null ? null : open(previousSecret),
    };
  }

  /**
   * Keeps the bytes that every attempt sends, and gives the sending the time of a lease: not those of a deleted request, nor under
   * a lease that has gone elsewhere.
   */
  async keepBody({ id, fence }: Delivery, body: string): Promise<'kept' | 'discarded' | 'lost'> {
    const [row] = await query<{ isKept: boolean }>(this.#pool, KEEP_BODY, [id, fence, body, this.#lease]);
    if (!row) return 'lost';
    return row.isKept ? 'kept' : 'discarded';
  }

  /** Writes an attempt down; `retryAfterMs` null means that it was the last one. */
  async close(
    delivery: Delivery,
    { delivered, responseCode, latencyMs, error }: Exchange,
    { webhookId, startedAt, retryAfterMs, headers = null }: Closing,
  ): Promise<void> {
    const status = delivered ? 'delivered' : retryAfterMs === null ? 'failed' : 'pending';
    const { id, fence } = delivery;
    const retry = `${retryAfterMs ?? 0} milliseconds`;
    const outcome = [
      responseCode,
      latencyMs,
      error,
      retry,
      startedAt,
      headers === null ? null : JSON.stringify(headers),
    ];
    const closed = await query(this.#pool, CLOSE, [id, fence, status, 1, webhookId, ...outcome]);
    if (closed.length > 0) this.#onOutcome(status === 'pending' ? 'retried' : status);
  }

  /** Writes down that nothing is sent, and why. */
  async skip({ id, fence }: Delivery, webhookId: string, reason: string): Promise<void> {
    const outcome = [null, null, reason, '0', new Date(), null];
    const closed = await query(this.#pool, CLOSE, [id, fence, 'skipped', 0, webhookId, ...outcome]);
    if (closed.length > 0) this.#onOutcome('skipped');
  }

  /** Lets the next process make the attempt. */
  async handBack({ id, fence }: Delivery): Promise<void> {
    await query(this.#pool, HAND_BACK, [id, fence, false]);
  }

  /** Leaves the attempt for a moment in which its body can be made. */
  async putOff({ id, fence }: Delivery): Promise<void> {
    await query(this.#pool, HAND_BACK, [id, fence, true]);
  }
}
