import type { Socket } from 'node:net';
import pg from 'pg';
import type { Log } from '../platform/logging/log.ts';
import { Slices } from '../platform/turns/slices.ts';
import { KeptConnections } from './kept-connections.ts';
import { isAnswerLost, isConnectionLost, isOutage } from './outage.ts';
import { connectionLimits, type PoolKind } from './sessions/connection-limits.ts';
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
