import type pg from 'pg';
import { type Pool, query, transaction } from '../../database/pool.ts';
import type { Evaluation, KnownStanding, OpenAlert } from './evaluate.ts';

/** Takes the turn to check for all processes. Its number is lower than that of the next turn. */
const CLAIM = {
  name: 'alert-claim',
  text: `update alert_setting set claimed_at = now(), fence = fence + 1
         where claimed_at is null or claimed_at <= now() - $1::interval returning fence`,
};

const STANDINGS = {
  name: 'alert-standings',
  text: `select rule_id as "ruleId", nullif(engine, '') as "engineId", bad, good, firing, told,
           (extract(epoch from told_at) * 1000)::float8 as "toldAtMs"
         from alert_standing`,
};

const OPEN = {
  name: 'alert-open',
  text: `select id, rule_id as "ruleId", kind, severity, engine as "engineId", title, detail, figure, threshold,
           began_at as "beganAt", told_at as "toldAt"
         from alert where ended_at is null`,
};

const FENCE = { name: 'alert-fence', text: 'select 1 from alert_setting where fence = $1 for update' };

/** Writes standings. Those of rules that were removed meanwhile are left out: they have nothing to refer to. */
const STAND = {
  name: 'alert-stand',
  text: `
  with now_known as (
    select i.* from json_to_recordset($1::json)
      as i("ruleId" text, engine text, bad int, good int, firing boolean, told boolean, "toldAtMs" float8)
    where exists (select from alert_rule r where r.id = i."ruleId")
  ),
  gone as (
    delete from alert_standing s
    where not exists (select from now_known n where n."ruleId" = s.rule_id and n.engine = s.engine)
  )
  insert into alert_standing as s (rule_id, engine, bad, good, firing, told, told_at)
  select "ruleId", engine, bad, good, firing, told, to_timestamp("toldAtMs" / 1000) from now_known
  on conflict (rule_id, engine) do update set bad = excluded.bad, good = excluded.good, firing = excluded.firing,
    told = excluded.told, told_at = excluded.told_at`,
};

const BEGAN = {
  name: 'alert-began',
  text: `insert into alert (id, rule_id, kind, severity, engine, title, detail, figure, threshold, began_at)
         select id, "ruleId", kind, severity, "engineId", left(title, 300), left(detail, 2000), figure, threshold, "beganAt"
         from json_to_recordset($1::json) as i(id text, "ruleId" text, kind text, severity text, "engineId" text, title text,
           detail text, figure float8, threshold float8, "beganAt" timestamptz)
         on conflict do nothing`,
};

const CHANGED = {
  name: 'alert-changed',
  text: `update alert a set title = left(i.title, 300), detail = left(i.detail, 2000), figure = i.figure, severity = i.severity
         from json_to_recordset($1::json) as i(id text, title text, detail text, figure float8, severity text)
         where a.id = i.id and a.ended_at is null`,
};

const ENDED = {
  name: 'alert-ended',
  text: `update alert a set ended_at = $2, ended_by = i."endedBy" from json_to_recordset($1::json) as i(id text, "endedBy" text)
         where a.id = i.id and a.ended_at is null`,
};

const TOLD = {
  name: 'alert-told',
  text: `update alert set told_at = case when id = any($1::text[]) then $3 else told_at end,
           end_told_at = case when id = any($2::text[]) then $3 else end_told_at end
         where id = any($1::text[]) or id = any($2::text[])`,
};

const CHECKED = { name: 'alert-checked', text: 'update alert_setting set checked_at = $1' };

/** Reads the state that a check goes on from, and writes its result. */
export class EvaluationStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Takes the turn, and answers its number; null where another process has had one in the last `everyMs`. */
  async claim(everyMs: number): Promise<bigint | null> {
    // A little less than `everyMs`: processes look at the same pace, and no turn may be lost by a millisecond.
    const [row] = await query<{ fence: bigint }>(this.#pool, CLAIM, [`${Math.round(everyMs * 0.8)} milliseconds`]);
    return row?.fence ?? null;
  }

  async known(): Promise<{ standings: KnownStanding[]; open: OpenAlert[] }> {
    const standings = await query<KnownStanding>(this.#pool, STANDINGS, []);
    const open = await query<OpenAlert>(this.#pool, OPEN, []);
    return { standings, open };
  }

  /**
   * Writes the result of a check, all or nothing, with what `tell` adds. Answers false, and writes nothing, where another process
   * has got the turn meanwhile: it has gone on from the same standings.
   */
  async write(
    { standings, began, changed, ended, told }: Evaluation,
    { fence, now, tell }: { fence: bigint; now: Date; tell: (client: pg.PoolClient) => Promise<void> },
  ): Promise<boolean> {
    return transaction(this.#pool, async (client) => {
      const mine = await query(client, FENCE, [String(fence)]);
      if (mine.length === 0) return false;
      const rows = standings.map(({ engineId, ...standing }) => ({ ...standing, engine: engineId ?? '' }));
      await query(client, STAND, [JSON.stringify(rows)]);
      if (ended.length > 0) await query(client, ENDED, [JSON.stringify(ended), now]);
      if (began.length > 0) await query(client, BEGAN, [JSON.stringify(began)]);
      if (changed.length > 0) await query(client, CHANGED, [JSON.stringify(changed)]);
      const ids = (state: 'firing' | 'recovered') => told.filter((each) => each.state === state).map(({ id }) => id);
      if (told.length > 0) {
        await query(client, TOLD, [ids('firing'), ids('recovered'), now]);
        await tell(client);
      }
      await query(client, CHECKED, [now]);
      return true;
    });
  }
}
