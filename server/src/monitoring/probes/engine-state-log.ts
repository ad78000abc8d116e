import { type Pool, query } from '../../database/pool.ts';
import type { HealthStatus } from '../series/health.ts';
import type { EngineHealth } from '../series/series.type.ts';

/** The state of an engine in one word: its health, or that an operator switched it off. */
type EngineState = HealthStatus | 'disabled';

/** A state, and when it began. */
export interface StateSince {
  readonly state: EngineState;
  readonly since: Date;
}

const RECORD = {
  name: 'state-record',
  text: `insert into engine_state (engine, state, former, detail, at)
         select n.engine, n.state, l.state, n.detail, case when n.since is null then now() else greatest(n.since, l.at) end
         from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as n(engine, state, detail, since)
         left join lateral (select state, at from engine_state s where s.engine = n.engine order by id desc limit 1) l on true
         where l.state is distinct from n.state`,
};

const LATEST = {
  name: 'state-latest',
  text: `select e.engine, l.state, l.at as since from unnest($1::text[]) as e(engine)
         cross join lateral (select state, at from engine_state s where s.engine = e.engine order by id desc limit 1) l`,
};

/** Bad states. */
const BAD = `('degraded', 'unhealthy')`;
const QUIET = {
  name: 'state-quiet-since',
  text: `select max(at) as since from engine_state where state in ${BAD} or former in ${BAD}`,
};

/** The log of changes of engines' states. */
export class EngineStateLog {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Writes down states that have changed. A failing engine has changed when it began to fail, not when that was judged. */
  async record(engines: readonly EngineHealth[]): Promise<void> {
    const states = engines.map(stateOf);
    await query(this.#pool, RECORD, [
      engines.map(({ engineId }) => engineId),
      states,
      engines.map(({ detail }) => detail),
      engines.map(({ failingSince, obstacle }) => (obstacle === 'disabled' ? null : failingSince)),
    ]);
  }

  /** The latest state of each engine; null for one that nobody has looked at yet. */
  async latest(engineIds: readonly string[]): Promise<(StateSince | null)[]> {
    const rows = await query<StateSince & { engine: string }>(this.#pool, LATEST, [engineIds]);
    const found = new Map(rows.map(({ engine, state, since }) => [engine, { state, since }]));
    return engineIds.map((id) => found.get(id) ?? null);
  }

  /** When an engine last came into a bad state, or left one; null when none ever did. */
  async quietSince(): Promise<Date | null> {
    const [row] = await query<{ since: Date | null }>(this.#pool, QUIET, []);
    return row?.since ?? null;
  }
}

function stateOf({ status, obstacle }: EngineHealth): EngineState {
  return obstacle === 'disabled' ? 'disabled' : status;
}
