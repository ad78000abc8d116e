/**
 * Settings of the planner for statements that find rows by their keys. Their plans are made once for each connection, often while
 * a table is still empty or its statistics are old: a plan that reads the whole table then would stay as it grows.
 */
const BY_KEY = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'random_page_cost=1.1', 'jit=off'];
const FREE = ['jit=off'];
/** Settings for one plan for all values: making another plan for each costs some statements more than running them. */
const ONCE = [...BY_KEY, 'plan_cache_mode=force_generic_plan'];

/**
 * The kind of a pool. `hot`: requests. `entities`: MikroORM. `monitoring`: public figures, which are rolled up before. `reports`:
 * lists and sums. `texts`: large texts, which give way to everything else. `background`: the service's own jobs, which may take
 * minutes after a dump was restored. `admin`: commands of the operator.
 */
export type PoolKind = 'hot' | 'entities' | 'monitoring' | 'reports' | 'texts' | 'background' | 'admin';

interface Limits {
  /** The time after which the database ends a statement. */
  readonly statementMs: number;
  /** The time after which an answer is given up with its connection: somewhat longer, so that the database is first. */
  readonly answerMs: number;
  /** The longest wait for a lock. */
  readonly lockMs: number;
  readonly plans: readonly string[];
}

const LIMITS: Readonly<Record<PoolKind, Limits>> = {
  hot: { statementMs: 9000, answerMs: 10_000, lockMs: 3000, plans: ONCE },
  entities: { statementMs: 9000, answerMs: 10_000, lockMs: 3000, plans: FREE },
  monitoring: { statementMs: 5000, answerMs: 6000, lockMs: 3000, plans: BY_KEY },
  reports: { statementMs: 20_000, answerMs: 22_000, lockMs: 3000, plans: FREE },
  texts: { statementMs: 20_000, answerMs: 22_000, lockMs: 3000, plans: ONCE },
  background: { statementMs: 600_000, answerMs: 610_000, lockMs: 3000, plans: BY_KEY },
  admin: { statementMs: 3_600_000, answerMs: 3_660_000, lockMs: 10_000, plans: FREE },
};

/** How long a transaction may wait for its client. It is ended then, because it may hold what others need. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** After this long without an answer, TCP keep-alive probes a connection. */
const SILENT_SECONDS = 10;

/** Settings by which the database notices that a client is gone without having closed its connection. */
const KEEPALIVE = [
  `tcp_keepalives_idle=${SILENT_SECONDS}`,
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  `tcp_user_timeout=${3 * SILENT_SECONDS * 1000}`,
];

/** How values are written: node-postgres reads dates in no other style, and a database or a role may have one of its own. */
const FORMATS = ['datestyle=ISO', 'intervalstyle=postgres', 'timezone=UTC', 'bytea_output=hex', 'extra_float_digits=1'];

/** The settings of a connection that limit every wait, those of its plans, and how values are written. */
export function connectionLimits(kind: PoolKind) {
  const { statementMs, answerMs, lockMs, plans } = LIMITS[kind];
  const settings = [
    `statement_timeout=${statementMs}`,
    `lock_timeout=${lockMs}`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    ...KEEPALIVE,
    ...FORMATS,
    ...plans,
  ];
  return {
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENT_SECONDS * 1000,
  };
}
