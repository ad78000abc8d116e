import { type Pool, query } from '../../../database/pool.ts';
import type { Exchange } from '../../../webhooks/exchange.ts';
import type { StoredFormer } from '../../../webhooks/signing/former-secrets.ts';
import type { AlertChannel, AlertDelivery } from './alert-channel.ts';
import type { AlertChange } from './notice.ts';

/** Pauses before the attempts after the first one, in milliseconds: one entry each. */
const RETRY_AFTER_MS = [2000, 15_000, 60_000, 300_000, 900_000, 3_600_000] as const;
const MOST_ATTEMPTS = 1 + RETRY_AFTER_MS.length;
/** Seconds of a lease, longer than any attempt takes. What a process was sending when it died is sent again after it. */
const LEASE_SECONDS = 30;

const LOST = 'Whether it arrived is unknown: the process that sent it ended.';

/** A notice under a lease of this process, with its channel's target. */
export interface ClaimedNotice {
  readonly id: string;
  readonly channelId: string;
  readonly kind: AlertChannel['kind'];
  readonly target: string;
  /** The secret as it is stored; null where there is none. */
  readonly secret: string | null;
  /** Former secrets as they are stored. */
  readonly former: StoredFormer;
  readonly event: AlertDelivery['event'];
  readonly changes: readonly AlertChange[];
  readonly omitted: number;
  /** The attempt that begins with the claim, from 1. */
  readonly attempt: number;
  readonly fence: bigint;
  readonly createdAt: Date;
}

/** Claims for each channel the notice that has been due longest, unless another one of the channel is being sent. */
const CLAIM = {
  name: 'alert-notice-claim',
  text: `
  with due as (
    select distinct on (d.channel_id) d.id from alert_delivery d
    where d.status = 'pending' and d.next_attempt_at <= now() and not exists (
      select from alert_delivery o where o.channel_id = d.channel_id and o.status = 'pending' and o.leased_until > now())
    order by d.channel_id, d.next_attempt_at, d.created_at
  ),
  next as materialized (
    select d.id, d.attempt from alert_delivery d
    where d.id = any(array(select id from due)) and d.status = 'pending' and d.next_attempt_at <= now()
    for update skip locked
  ),
  over as (
    update alert_delivery d set status = 'failed', finished_at = now(), error = '${LOST}', fence = d.fence + 1,
      leased_until = null
    from next n where d.id = n.id and n.attempt >= ${MOST_ATTEMPTS}
  )
  update alert_delivery d set attempt = d.attempt + 1, fence = d.fence + 1, tried_at = now(),
    leased_until = now() + make_interval(secs => ${LEASE_SECONDS}),
    next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
  from next n, alert_channel c where d.id = n.id and n.attempt < ${MOST_ATTEMPTS} and c.id = d.channel_id
  returning d.id, d.channel_id as "channelId", c.kind, c.target, c.secret,
    json_build_object('previous', c.previous_secret, 'previousUntil', c.previous_secret_until, 'older', c.older_secrets) as former,
    d.event, d.changes, d.omitted, d.attempt,
    d.fence, d.created_at as "createdAt"`,
};

const CLOSE = {
  name: 'alert-notice-close',
  text: `update alert_delivery set status = $3, response_code = $4, latency_ms = $5, error = $6, leased_until = null,
           next_attempt_at = now() + make_interval(secs => $7::float8),
           finished_at = case when $3 = 'pending' then null else now() end
         where id = $1 and fence = $2 and status = 'pending'`,
};

/** Gives back a notice that was not sent, because this process stops; the attempt does not count. */
const HAND_BACK = {
  name: 'alert-notice-hand-back',
  text: `update alert_delivery set attempt = attempt - 1, leased_until = null, next_attempt_at = now()
         where id = $1 and fence = $2 and status = 'pending'`,
};

/** The notices in the database: each is sent by one process at a time. */
export class DeliveryStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  claim(): Promise<ClaimedNotice[]> {
    return query<ClaimedNotice>(this.#pool, CLAIM, []);
  }

  /** Writes down how an attempt ended. Answers the milliseconds until the next one; null where there is none. */
  async close({ id, fence, attempt }: ClaimedNotice, outcome: Exchange): Promise<number | null> {
    const retryAfterMs = outcome.delivered ? null : (RETRY_AFTER_MS[attempt - 1] ?? null);
    const status = outcome.delivered ? 'delivered' : retryAfterMs === null ? 'failed' : 'pending';
    const { responseCode, latencyMs, error } = outcome;
    const seconds = (retryAfterMs ?? 0) / 1000;
    await query(this.#pool, CLOSE, [id, String(fence), status, responseCode, latencyMs, error, seconds]);
    return retryAfterMs;
  }

  async handBack({ id, fence }: ClaimedNotice): Promise<void> {
    await query(this.#pool, HAND_BACK, [id, String(fence)]);
  }
}
