import type { Socket } from 'node:net';
import pg from 'pg';
import type { Log } from '../platform/logging/log.ts';
import { Slices } from '../platform/turns/slices.ts';
import { KeptConnections } from './kept-connections.ts';
import { isAnswerLost, isConnectionLost, isOutage } from './outage.ts';
import { clientWithin } from './sockets/answer-limit.ts';
import { readInPieces } from './sockets/read-in-pieces.ts';
import { writeInPieces } from './sockets/write-in-pieces.ts';
import { Waits } from './waits.ts';

/** Parsers of columns. BIGINT becomes a bigint (money), never a rounded number. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return (text: string) => BigInt(text);
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};

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

/** The callback of node-postgres' `connect`. */
type HandedOut = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void;

/** A pool of connections that also counts how long statements have been waiting for them and on them. */
export class Pool extends pg.Pool {
  readonly waits = new Waits();
  /** Answers statements of this pool, which only read, while it is up to date; null without a replica. */
  replica: ReadReplica | null = null;
  readonly #kept = new KeptConnections();

  /** Like `query`, but on a kept connection where there is one. */
  async ask<Row>(statement: pg.QueryConfig): Promise<Row[]> {
    const client = this.#kept.take() ?? (await this.connect());
    try {
      const { rows } = await client.query(statement);
      if (this.waitingCount > 0 || this.ending) client.release();
      else this.#kept.keep(client);
      return rows;
    } catch (error) {
      client.release(error as Error); // whatever it is, it is not undefined
      throw error;
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: HandedOut): void;
  override connect(callback?: HandedOut): unknown {
    const isSpokenFor = this.idleCount <= this.waitingCount; // an idle one goes to who waits, at the end of the turn
    if (isSpokenFor) this.#kept.letOneGo();
    return callback ? super.connect(callback) : super.connect();
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): unknown {
    this.#kept.letAllGo();
    return callback ? super.end(callback) : super.end();
  }

  /** Removes a kept connection that has broken. */
  onBroken(client: pg.PoolClient, error: Error): void {
    this.#kept.drop(client, error);
  }
}

/** A replica of the database that is asked while it can be trusted. */
export interface ReadReplica {
  /** The replica's pool; null while the main database has to be asked. */
  readonly current: Pool | null;
  distrust(error: unknown): void;
}

/** SQLSTATE of a statement that the replica cancelled because it conflicted with what it had to replay. */
const IN_THE_WAY = '40001';

/**
 * Opens a pool for statements that are written by hand. None of them waits without an end, neither for a lock nor for an answer.
 * A connection that breaks while it is checked out must not end the process (node-postgres emits an unhandled `error` then), so
 * each one gets a listener.
 */
export function openPool(url: string, options: { max: number; log: Log; kind?: PoolKind }): Pool {
  const { query_timeout: answerMs, ...limits } = connectionLimits(options.kind ?? 'hot');
  const pool = new Pool({
    connectionString: url,
    max: options.max,
    types,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    ...limits,
    Client: clientWithin(answerMs),
  });
  const report = (error: Error) => {
    // While the process stops, a connection may still report that the server goes, too.
    if (!pool.ending) options.log.warn({ err: error.message }, 'database connection lost');
  };
  pool.on('error', report);
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      report(error);
      pool.onBroken(client, error);
    });
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection; // not in pg's types
    writeInPieces(stream);
    readInPieces(stream, options.kind === 'texts' ? afterOthers : setImmediate);
  });
  return pool;
}

/** Calls `go` once other calls have had their turn. */
function afterOthers(go: () => void): void {
  void new Slices().next().then(go);
}

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

/** A statement that is prepared under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /**
   * Whether the statement does no harm when it runs twice. It is then sent once more where its connection breaks, or stays
   * silent.
   */
  readonly repeatable?: boolean;
}

/** Runs a prepared statement, which is parsed and planned once for each connection. `Row` is what it selects. */
export async function query<Row extends object>(
  pool: Pool | pg.PoolClient,
  { name, text, repeatable }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const prepared = { name, text, values: [...values] };
  if (!(pool instanceof Pool)) return (await pool.query(prepared)).rows;
  const ended = pool.waits.begin();
  try {
    return await fromPool<Row>(pool, prepared).catch((error: unknown) => {
      if (!repeatable || !isAnswerLost(error)) throw error;
      return fromPool<Row>(pool, prepared);
    });
  } finally {
    ended();
  }
}

/** Runs a statement that answers one row whatever the tables have: an aggregate, a row of expressions, an insert. */
export async function queryOne<Row extends object>(
  pool: Pool | pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row> {
  const [row] = await query<Row>(pool, statement, values);
  if (!row) throw new Error(`${statement.name} answered no row`);
  return row;
}

async function fromPool<Row>(pool: Pool, prepared: pg.QueryConfig): Promise<Row[]> {
  return (await fromReplica<Row>(pool, prepared)) ?? pool.ask<Row>(prepared);
}

/**
 * Runs a statement on the replica. Null where the main database has to be asked: there is no replica, or it is not trusted, or it
 * has just failed.
 */
async function fromReplica<Row>({ replica }: Pool, prepared: pg.QueryConfig): Promise<Row[] | null> {
  const current = replica?.current;
  if (!replica || !current) return null;
  try {
    return await current.ask<Row>(prepared);
  } catch (error) {
    const isInTheWay = error instanceof pg.DatabaseError && error.code === IN_THE_WAY;
    if (!isInTheWay && !isOutage(error)) throw error;
    replica.distrust(error);
    return null;
  }
}

/** Runs `work` in one transaction on one connection; rolls back when it throws. */
export async function transaction<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const ended = pool.waits.begin();
  try {
    return await onOneConnection(await pool.connect(), work);
  } finally {
    ended();
  }
}

async function onOneConnection<T>(client: pg.PoolClient, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    if (isConnectionLost(error))
      broken = error as Error; // an outage is an Error
    else {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
