import type pg from 'pg';
import { type Pool, query, queryOne } from '../../../database/pool.ts';
import type { WakeUp } from '../../../platform/messaging/wake-up.ts';
import type { AlertDelivery } from './alert-channel.ts';
import { type AlertChange, noticeOf, TEST_NOTICE } from './notice.ts';

/**
 * Seconds in which changes are gathered: a channel gets its first notice at once, and the next changes together at the end of
 * this time.
 */
const GROUP_SECONDS = 60;
/** Most changes of one notice; others are counted. */
const MOST_CHANGES = 100;
/** Most notices that wait for a channel that takes none. */
const MOST_WAITING = 20;
const KEPT_DAYS = 30;
const MOST_KEPT = 500;
const SHOWN = 50;

/**
 * Adds notices of the changes $1: to each channel those of its kinds. Changes join a notice that nobody has begun to send, as
 * long as there is room in it.
 */
const ADD = {
  name: 'alert-notice-add',
  text: `
  with receiver as materialized (
    select c.id, mine.kept, jsonb_array_length(mine.kept) as length, mine.many
    from alert_channel c cross join lateral (
      select coalesce(jsonb_agg(f.change order by f.place) filter (where f.turn <= ${MOST_CHANGES}), '[]') as kept,
        count(*)::int as many
      from (
        select e.change, e.place, row_number() over (order by e.place) as turn
        from jsonb_array_elements($1::jsonb) with ordinality as e(change, place)
        where c.kinds is null or e.change ->> 'kind' = any(c.kinds)) f) mine
    where c.is_active and mine.many > 0
  ),
  waiting as (
    select distinct on (channel_id) id from alert_delivery
    where status = 'pending' and event = 'alert' and fence = 0 order by channel_id, created_at
  ),
  joined as (
    update alert_delivery d set
      changes = case when jsonb_array_length(d.changes) + r.length <= ${MOST_CHANGES} then d.changes || r.kept else d.changes end,
      omitted = d.omitted + r.many - case when jsonb_array_length(d.changes) + r.length <= ${MOST_CHANGES} then r.length else 0 end
    from receiver r
    where d.id = any(array(select id from waiting)) and d.fence = 0 and d.status = 'pending' and d.channel_id = r.id
    returning d.channel_id
  )
  insert into alert_delivery (channel_id, event, changes, omitted, next_attempt_at, created_at)
  select r.id, 'alert', r.kept, r.many - r.length, due.at, due.at
  from receiver r cross join lateral (
    select greatest(now(), max(d.created_at) + make_interval(secs => ${GROUP_SECONDS})) as at from alert_delivery d
    where d.channel_id = r.id and d.event = 'alert') due
  where r.id not in (select channel_id from joined)`,
};

/** Gives up the oldest notices of a channel for which too many wait. */
const CROP = {
  name: 'alert-notice-crop',
  text: `
  update alert_delivery d set status = 'failed', finished_at = now(), error = coalesce(d.error || ' ', '') ||
    'It was given up: ${MOST_WAITING} newer notices waited for this channel.'
  where d.id = any(array(
    select id from (
      select id, row_number() over (partition by channel_id order by created_at desc) as newer
      from alert_delivery where status = 'pending') waiting where newer > ${MOST_WAITING}))
    and d.status = 'pending' and (d.leased_until is null or d.leased_until < now())`,
};

const COLUMNS = `
  d.id, d.channel_id as "channelId", d.event, d.changes, d.omitted, d.status, d.attempt, d.response_code as "responseCode",
  d.latency_ms as "latencyMs", d.error, d.created_at as "createdAt",
  case when d.status = 'pending' then d.next_attempt_at end as "nextAttemptAt", d.finished_at as "finishedAt"`;

const TEST = {
  name: 'alert-notice-test',
  text: `insert into alert_delivery as d (channel_id, event, changes) values ($1, 'test', '[]') returning ${COLUMNS}`,
};

const LIST = {
  name: 'alert-notices',
  text: `select ${COLUMNS} from alert_delivery d where $1::text is null or d.channel_id = $1
         order by d.created_at desc, d.id limit ${SHOWN}`,
};

const FORGET = {
  name: 'alert-notice-forget',
  text: `
  delete from alert_delivery where id = any(array(
    select id from (
      select id, finished_at, row_number() over (partition by channel_id order by created_at desc) as newer
      from alert_delivery where status <> 'pending') ended
    where newer > ${MOST_KEPT} or finished_at < now() - make_interval(days => ${KEPT_DAYS})))`,
};

interface StoredDelivery extends Omit<AlertDelivery, 'title'>, Record<string, unknown> {
  readonly changes: readonly AlertChange[];
  readonly omitted: number;
}

/** The notices that are due to channels, and those that were sent. */
export class DeliveryQueue {
  readonly #pool: Pool;
  readonly #due: WakeUp;

  constructor(pool: Pool, due: WakeUp) {
    this.#pool = pool;
    this.#due = due;
  }

  /**
   * Adds a notice of these changes for each channel that is told of their kinds, in the transaction that writes the changes down.
   */
  async add(client: pg.PoolClient, changes: readonly AlertChange[]): Promise<void> {
    if (changes.length === 0) return;
    await query(client, ADD, [JSON.stringify(changes)]);
    await query(client, CROP, []);
  }

  /** Wakes the sending job: a notice was added. */
  wake(): void {
    this.#due.wake();
  }

  /** Adds a notice that says that the channel works. */
  async test(channelId: string): Promise<AlertDelivery> {
    const row = await queryOne<StoredDelivery>(this.#pool, TEST, [channelId]);
    this.wake();
    return shown(row);
  }

  /** The latest 50 notices, newest first; `channelId` null: of all channels. */
  async list(channelId: string | null): Promise<AlertDelivery[]> {
    return (await query<StoredDelivery>(this.#pool, LIST, [channelId])).map(shown);
  }

  async forget(): Promise<void> {
    await query(this.#pool, FORGET, []);
  }
}

function shown({ changes, omitted, ...delivery }: StoredDelivery): AlertDelivery {
  // `delivery` has what the type names: the columns of the statements above.
  return { ...(delivery as Omit<AlertDelivery, 'title'>), title: titleOf(delivery.event, changes, omitted) };
}

function titleOf(event: AlertDelivery['event'], changes: readonly AlertChange[], omitted: number): string {
  return event === 'test' ? TEST_NOTICE.title : noticeOf(changes, omitted).title;
}
