import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Alert } from './alert.ts';

const KEPT_DAYS = 90;
const MOST_KEPT = 10_000;
const MOST_FIRING = 500;
const SHOWN_ENDED = 50;

const COLUMNS = `
  a.id, a.rule_id as "ruleId", a.kind, a.severity, a.engine as "engineId", a.title, a.detail, a.figure, a.threshold,
  a.began_at as "beganAt", a.ended_at as "endedAt", a.ended_by as "endedBy", a.told_at as "toldAt", a.end_told_at as "endToldAt",
  a.acknowledged_at as "acknowledgedAt", (select email from account where id = a.acknowledged_by) as "acknowledgedBy", a.note`;

const FIRING = {
  name: 'alert-firing',
  text: `select ${COLUMNS} from alert a where a.ended_at is null order by a.began_at, a.id limit ${MOST_FIRING}`,
};

const PAGE = {
  name: 'alert-history',
  text: `select ${COLUMNS} from alert a where ($2::text is null or a.id < $2) and ($3::text is null or a.engine = $3)
           and ($4::timestamptz is null or a.ended_at is null or a.ended_at >= $4)
           and ($5::timestamptz is null or a.began_at < $5)
         order by a.id desc limit $1`,
};

const ENDED = {
  name: 'alert-history-ended',
  text: `select ${COLUMNS} from alert a where a.ended_at is not null order by a.ended_at desc, a.id desc limit ${SHOWN_ENDED}`,
};

/** Acknowledges an alert. The first account to do so stays; a note may be written later. */
const ACKNOWLEDGE = {
  name: 'alert-acknowledge',
  text: `update alert a set acknowledged_at = coalesce(a.acknowledged_at, now()),
           acknowledged_by = coalesce(a.acknowledged_by, $2::uuid), note = coalesce($3, a.note)
         where a.id = $1 returning ${COLUMNS}`,
};

/** Deletes old alerts, except those that fire. Ids begin with their time, so the lowest are the oldest. */
const FORGET = {
  name: 'alert-forget',
  text: `delete from alert where ended_at is not null and (ended_at < now() - make_interval(days => ${KEPT_DAYS})
           or id <= (select id from alert order by id desc offset ${MOST_KEPT} limit 1))`,
};

export interface AlertPageWish {
  readonly size: number;
  /** The id of the last alert of the page before. */
  readonly before: string | null;
  readonly engineId: string | null;
  /** Bounds of the time: alerts that had not ended before `from` and had begun before `to`; null for no bound. */
  readonly from: Date | null;
  readonly to: Date | null;
}

type Row = Alert;

/** Alerts that fire, and those of the last 90 days. */
export class AlertHistory {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  firing(): Promise<Alert[]> {
    return query<Row>(this.#pool, FIRING, []);
  }

  ended(): Promise<Alert[]> {
    return query<Row>(this.#pool, ENDED, []);
  }

  /** A page of alerts, newest first. */
  async page({ size, before, engineId, from, to }: AlertPageWish): Promise<Alert[]> {
    if (before !== null && !isId('alt_', before))
      throw new AppError('invalid_request', 'before: is no id of an alert.');
    return query<Row>(this.#pool, PAGE, [size, before, engineId, from, to]);
  }

  async acknowledge(id: string, { accountId, note }: { accountId: string; note: string | null }): Promise<Alert> {
    const [row] = await query<Row>(this.#pool, ACKNOWLEDGE, [id, accountId, note]);
    if (!row) throw new AppError('not_found', 'There is no such alert.');
    return row;
  }

  async forget(): Promise<void> {
    await query(this.#pool, FORGET, []);
  }
}
