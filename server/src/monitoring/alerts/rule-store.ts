import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { AlertRule } from './alert-rule.ts';
import { USUAL_SEVERITY } from './kinds/alert-kind.ts';
import type { Quiet } from './quiet.ts';
import type { WrittenRule } from './rule-input.ts';

const MOST_RULES = 100;

/** The first rules: alerts that an operator wants without having asked. Each can be changed or removed. */
const FIRST_RULES: readonly Pick<AlertRule, 'kind' | 'threshold'>[] = [
  { kind: 'engine_down', threshold: null },
  { kind: 'error_rate', threshold: 0.2 },
  { kind: 'queue_age_seconds', threshold: 120 },
  { kind: 'provider_auth', threshold: null },
];

const COLUMNS = `
  id, kind, severity, engine as "engineId", threshold, fire_after as "fireAfter", recover_after as "recoverAfter",
  cooldown_minutes as "cooldownMinutes", enabled,
  case when muted_until > now() then muted_until end as "mutedUntil"`;

/** Makes the settings and the first rules, where no process has made them before. */
const BEGIN = {
  name: 'alert-begin',
  text: `
  with made as (insert into alert_setting (only_one) values (true) on conflict do nothing returning 1)
  insert into alert_rule (id, kind, threshold, fire_after, recover_after, cooldown_minutes, enabled, created_at)
  select r.id, r.kind, r.threshold, 3, 5, 30, true, now() + r.place * interval '1 microsecond'
  from unnest($1::text[], $2::text[], $3::float8[]) with ordinality as r(id, kind, threshold, place)
  where exists (select from made)`,
};

const LIST = { name: 'alert-rules', text: `select ${COLUMNS} from alert_rule order by created_at, id` };

const INSERT = {
  name: 'alert-rule-insert',
  text: `insert into alert_rule (id, kind, engine, threshold, fire_after, recover_after, cooldown_minutes, enabled,
           severity)
         select $1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, '${USUAL_SEVERITY}') where (select count(*) from alert_rule) < ${MOST_RULES}
         returning ${COLUMNS}`,
};

/** Replaces a rule. One that watches something else loses its standings, and so begins anew. */
const UPDATE = {
  name: 'alert-rule-update',
  text: `
  with anew as (
    delete from alert_standing where rule_id = (
      select id from alert_rule where id = $1 and (kind, engine, threshold) is distinct from ($2::text, $3::text, $4::float8))
  )
  update alert_rule set kind = $2, engine = $3, threshold = $4, fire_after = $5, recover_after = $6, cooldown_minutes = $7,
    enabled = $8, severity = coalesce($9, severity)
  where id = $1 returning ${COLUMNS}`,
};

const REMOVE = { name: 'alert-rule-remove', text: 'delete from alert_rule where id = $1 returning id' };

const MUTE = {
  name: 'alert-rule-mute',
  text: 'update alert_rule set muted_until = now() + make_interval(mins => $2) where id = $1 returning id',
};
const MUTE_ALL = {
  name: 'alert-mute-all',
  text: 'update alert_setting set muted_until = now() + make_interval(mins => $1)',
};

const SETTINGS = {
  name: 'alert-settings',
  text: `select quiet_from as "from", quiet_to as "to", time_zone as "timeZone", checked_at as "checkedAt",
           case when muted_until > now() then muted_until end as "mutedUntil"
         from alert_setting`,
};

const KEEP_QUIET = {
  name: 'alert-keep-quiet',
  text: 'update alert_setting set quiet_from = $1, quiet_to = $2, time_zone = $3',
};

/** Settings for all rules. */
export interface AlertSettings {
  readonly quietHours: Quiet | null;
  readonly mutedUntil: Date | null;
  /** Time of the latest check; null before the first one. */
  readonly checkedAt: Date | null;
}

/** The stored rules and settings. */
export class RuleStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Makes the first rules and settings, where they were never made. */
  async begin(): Promise<void> {
    const ids = FIRST_RULES.map(() => newId('alr_'));
    await query(this.#pool, BEGIN, [
      ids,
      FIRST_RULES.map(({ kind }) => kind),
      FIRST_RULES.map((rule) => rule.threshold),
    ]);
  }

  list(): Promise<AlertRule[]> {
    return query<AlertRule>(this.#pool, LIST, []);
  }

  async create(rule: WrittenRule): Promise<AlertRule> {
    const rows = await query<AlertRule>(this.#pool, INSERT, [newId('alr_'), ...values(rule)]);
    if (!rows[0]) throw new AppError('invalid_request', `There are ${MOST_RULES} rules. Remove one first.`);
    return rows[0];
  }

  async update(id: string, rule: WrittenRule): Promise<AlertRule> {
    const rows = await query<AlertRule>(this.#pool, UPDATE, [id, ...values(rule)]);
    return rows[0] ?? unknown();
  }

  async remove(id: string): Promise<void> {
    const rows = await query(this.#pool, REMOVE, [id]);
    if (rows.length === 0) unknown();
  }

  /** Mutes one rule (null: all) for so many minutes; 0 ends that. */
  async mute(id: string | null, minutes: number): Promise<void> {
    if (id === null) return void (await query(this.#pool, MUTE_ALL, [minutes]));
    const rows = await query(this.#pool, MUTE, [id, minutes]);
    if (rows.length === 0) unknown();
  }

  async settings(): Promise<AlertSettings> {
    type Row = { from: string | null; to: string | null; timeZone: string | null } & Omit<AlertSettings, 'quietHours'>;
    const [row] = await query<Row>(this.#pool, SETTINGS, []);
    if (!row) return { quietHours: null, mutedUntil: null, checkedAt: null };
    const { from, to, timeZone, mutedUntil, checkedAt } = row;
    const quietHours = from === null || to === null ? null : { from, to, timeZone: timeZone ?? 'UTC' };
    return { quietHours, mutedUntil, checkedAt };
  }

  async keepQuiet(hours: Quiet | null): Promise<void> {
    await query(this.#pool, KEEP_QUIET, [hours?.from ?? null, hours?.to ?? null, hours?.timeZone ?? null]);
  }
}

function values({ kind, engineId, threshold, severity, ...pace }: WrittenRule) {
  const { fireAfter, recoverAfter, cooldownMinutes, enabled } = pace;
  return [kind, engineId, threshold, fireAfter, recoverAfter, cooldownMinutes, enabled, severity];
}

function unknown(): never {
  throw new AppError('not_found', 'There is no such alert rule.');
}
