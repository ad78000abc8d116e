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

/** BIGINT arrives as bigint (money), never as a rounded number. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return (text: string) => BigInt(text);
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};

/**
 * How the planner treats statements that find rows by their keys. Their plans are made once a connection, often while a
 * table is still empty or its statistics are old, and a plan that reads the whole table then would stay as it grows.
 */
const BY_KEY = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'random_page_cost=1.1', 'jit=off'];
const FREE = ['jit=off'];
/** One plan for all values: making another one for each costs some statements more than running them. */
const ONCE = [...BY_KEY, 'plan_cache_mode=force_generic_plan'];

/**
 * What a connection is for. `hot`: requests. `entities`: MikroORM. `monitoring`: public figures, which are rolled up before.
 * `reports`: lists and sums. `texts`: large texts, which give way to everything else. `background`: the service's own jobs, which
 * may take minutes after a dump was restored. `admin`: commands of the operator.
 */
export type PoolKind = 'hot' | 'entities' | 'monitoring' | 'reports' | 'texts' | 'background' | 'admin';

interface Limits {
  /** The database ends a statement that runs longer. */
  readonly statementMs: number;
  /** The connection is given up when an answer takes longer: somewhat more, so that it is the database that ends it. */
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

/** A transaction that waits this long for its client is ended: it may hold what others need. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** After this long without an answer, TCP keep-alive probes a connection. */
const SILENT_SECONDS = 10;

/** How soon the database notices that a client is gone without closing its connection. */
const KEEPALIVE = [
  `tcp_keepalives_idle=${SILENT_SECONDS}`,
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  `tcp_user_timeout=${3 * SILENT_SECONDS * 1000}`,
];

/** As node-postgres has it. */
type HandedOut = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void;

/** Connections, and how long statements have been waiting for them and on them. */
export class Pool extends pg.Pool {
  readonly waits = new Waits();
  /** Answers statements that only read, where there is one that is up to date. */
  replica: ReadReplica | null = null;
  readonly #kept = new KeptConnections();

  /** Like `query`, but on a kept connection where there is one. */
  async ask<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<Row[]> {
    const client = this.#kept.take() ?? (await this.connect());
    try {
      const { rows } = await client.query<Row>(statement);
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

  /** A connection has broken. */
  onBroken(client: pg.PoolClient, error: Error): void {
    this.#kept.drop(client, error);
  }
}

/** A copy of the database, while it can be trusted. */
export interface ReadReplica {
  /** Null while the main database has to be asked. */
  readonly current: Pool | null;
  distrust(error: unknown): void;
}

/** The replica has cancelled a statement that conflicted with what it had to replay. */
const IN_THE_WAY = '40001';

/**
 * Connections for the statements that are written by hand. None of them waits without an end: neither for a lock nor for
 * an answer. A connection that breaks while it is checked out must not end the process (node-postgres emits an
 * unhandled `error` then), so each one gets a listener.
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
    // A connection that is closed at a stop may still hear that the server goes, too.
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

/** The part of a connection's configuration that bounds every wait. */
export function connectionLimits(kind: PoolKind) {
  const { statementMs, answerMs, lockMs, plans } = LIMITS[kind];
  const settings = [
    `statement_timeout=${statementMs}`,
    `lock_timeout=${lockMs}`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    ...KEEPALIVE,
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
  /** Whether it does no harm when it runs twice: it is then sent once more where its connection breaks, or stays silent. */
  readonly repeatable?: boolean;
}

/** A prepared statement: parsed and planned once a connection. */
export async function query<Row extends pg.QueryResultRow>(
  pool: Pool | pg.PoolClient,
  { name, text, repeatable }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const prepared = { name, text, values: [...values] };
  if (!(pool instanceof Pool)) return (await pool.query<Row>(prepared)).rows;
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

async function fromPool<Row extends pg.QueryResultRow>(pool: Pool, prepared: pg.QueryConfig): Promise<Row[]> {
  return (await fromReplica<Row>(pool, prepared)) ?? pool.ask<Row>(prepared);
}

/** Null where the main database has to be asked: there is no replica, or it is not trusted, or it is going down. */
async function fromReplica<Row extends pg.QueryResultRow>(
  { replica }: Pool,
  prepared: pg.QueryConfig,
): Promise<Row[] | null> {
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
