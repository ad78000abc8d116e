import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { onOwnClient } from '../database/sessions/own-client.ts';
import { FOREIGN_UP_TO, HORIZON, MARK, REST_SETTING, STATEMENTS, STORE } from './ledger-proof-sql.ts';

/** One invariant of the books; `detail` says how many rows violate it. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** The lock of the proof that may store its result. Taking it makes no snapshot, so what the proof before has stored is seen. */
const TAKE_TURN = 'lock table ledger_proof in share row exclusive mode nowait';
const BEGIN = 'begin isolation level repeatable read';
const NOT_AVAILABLE = '55P03';
/** What its connection is called in `pg_stat_activity`. */
export const PROOF_NAME = 'ocr-router proof';
const INCREMENT_LIMIT_MS = 360_000;
const FULL_LIMIT_MS = 3_600_000;

/**
 * A connection of its own for each proof: it competes for none with requests or reports. One core at most works for it,
 * and grouping spills to disk rather than into the memory of the others.
 */
const SETTINGS = [
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'work_mem=64MB',
  'lock_timeout=3s',
  'idle_in_transaction_session_timeout=10s',
];

/** The rest after about a thousand rows, which take a millisecond or two. */
const REST_SECONDS = 0.003;
/** The rest between two statements, in multiples of the time of the first one; at most `LONGEST_REST_MS`. */
const RESTS = 2;
const LONGEST_REST_MS = 1000;

/** How a proof is made. */
export interface ProofOptions {
  /** Reads all transfers and requests, not only those since the last proof. */
  readonly full?: boolean;
  /** Does not rest: for when the service does not run beside it. */
  readonly fast?: boolean;
}

/** Where a proof stands: the transactions up to `until` have ended, and those before `since` were proven before. */
interface Horizon {
  readonly until: string;
  readonly since: string | null;
  readonly above: string | null;
  /** Whether all requests are in the roll-ups. */
  readonly counted: boolean;
}

/**
 * Proves the books. All statements of a proof see one snapshot, so it is exact while money moves. It starts from the
 * sums of the transfers that were proven before, which can only be added to, and reads the transfers since; wallets are
 * compared each time. What somebody changed in a row that was proven already, only a full proof finds.
 *
 * It works in short bursts and rests for about two thirds of its time: a core that is busy for as long as a proof takes is
 * one that requests wait for.
 */
export class LedgerProof {
  readonly #url: string;
  readonly #running = new Map<string, Promise<Check[]>>();

  constructor(databaseUrl: string) {
    this.#url = databaseUrl;
  }

  /** Calls that come while a proof of the same kind runs share it. */
  check({ full = false, fast = false }: ProofOptions = {}): Promise<Check[]> {
    const kind = `${full} ${fast}`;
    const running = this.#running.get(kind) ?? this.#prove({ full, fast }).finally(() => this.#running.delete(kind));
    this.#running.set(kind, running);
    return running;
  }

  async #prove({ full, fast }: Required<ProofOptions>): Promise<Check[]> {
    const limit = `statement_timeout=${full ? FULL_LIMIT_MS : INCREMENT_LIMIT_MS}`;
    const rest = `${REST_SETTING}=${fast ? 0 : REST_SECONDS}`;
    const options = [...SETTINGS, limit, rest].map((setting) => `-c ${setting}`).join(' ');
    const config = { connectionString: this.#url, application_name: PROOF_NAME, options, keepAlive: true };
    return onOwnClient(config, async (client) => {
      const stores = await begin(client);
      const checks = await prove(new Burst(client, { rests: !fast }), { full, stores });
      await client.query('commit');
      return checks;
    });
  }
}

/** Begins the transaction; answers whether this proof may store its result, since no other one is under way. */
async function begin(client: pg.Client): Promise<boolean> {
  await client.query(BEGIN);
  try {
    await client.query(TAKE_TURN);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_AVAILABLE) throw error;
    await client.query('rollback');
    await client.query(BEGIN);
    return false;
  }
}

/** Sends the statements of a proof, and rests after each. */
class Burst {
  readonly #client: pg.Client;
  readonly #rests: boolean;

  constructor(client: pg.Client, { rests }: { rests: boolean }) {
    this.#client = client;
    this.#rests = rests;
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const started = performance.now();
    const { rows } = await this.#client.query<Row>(text, values);
    if (this.#rests) await sleep(Math.min(RESTS * (performance.now() - started), LONGEST_REST_MS));
    return rows;
  }
}

async function prove(client: Burst, { full, stores }: { full: boolean; stores: boolean }): Promise<Check[]> {
  const [horizon] = await client.query<Horizon>(HORIZON);
  if (!horizon) throw new Error('a function answers one row');
  const { since, above, counted } = horizon;
  const isFull = full || since === null;
  if (isFull && !full) await client.query(`set local statement_timeout = ${FULL_LIMIT_MS}`);
  const ledger = STATEMENTS[isFull ? 'full' : 'increment'];
  const requests = STATEMENTS[isFull || !counted ? 'full' : 'increment'].requests;
  const from = isFull ? [] : [since, above];
  const wallets = await count(client, ledger.wallets, from);
  const totals = await count(client, requests);
  const costs = await count(client, ledger.costs, from);
  const limits = await count(client, ledger.limits);
  const checks = [
    check('wallets equal their ledger', wallets['posted']),
    check('owed amounts equal their ledger', wallets['owed']),
    check('held money equals open holds', totals['held']),
    check('totals equal their rows', totals['totals'], wallets['spent']),
    check('a request costs what the ledger charged for it', costs['violations']),
    check('limits of keys count their requests', limits['held'], limits['spent']),
  ];
  if (full && counted) {
    checks.push(check('usage by day equals its requests', (await count(client, STATEMENTS.rollUps))['violations']));
  }
  if (stores && checks.every(({ ok }) => ok)) await store(client, horizon, isFull);
  return checks;
}

/** To be called for a proof without violations: these are found again until they are mended. */
async function store(client: Burst, { until, since, above }: Horizon, isFull: boolean): Promise<void> {
  const foreign = isFull ? (await client.query<{ above: string }>(FOREIGN_UP_TO))[0]?.above : above;
  const values = [until, foreign ?? '0', since, above];
  for (const { text, takes } of STORE[isFull ? 'full' : 'increment']) await client.query(text, values.slice(0, takes));
  await client.query(MARK, [until, foreign ?? '0', isFull]);
}

/** The counts of one row; node-postgres gives them as texts. */
async function count(client: Burst, text: string, values: unknown[] = []): Promise<Record<string, bigint>> {
  const [row = {}] = await client.query<Record<string, string>>(text, values);
  return Object.fromEntries(Object.entries(row).map(([name, number]) => [name, BigInt(number)]));
}

function check(name: string, ...violations: readonly (bigint | undefined)[]): Check {
  const most = violations.reduce<bigint>((max, each) => (each !== undefined && each > max ? each : max), 0n);
  return { name, ok: most === 0n, detail: `${most} violations` };
}
