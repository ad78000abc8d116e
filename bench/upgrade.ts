import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Product, startProduct } from '../test/house/product.ts';
import { until } from '../test/house/until.ts';
import { compare, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { treeCpuMs } from './process-figures.ts';
import { show } from './show.ts';
import { instantEngine, makeKey, openGround } from './stage.ts';
import { fillStored } from './stored/fill-stored.ts';

const EVERY_MS = 33;
const QUIET_MS = 30_000;
const LOOK_MS = 500;
/** Of each step of the background, and of the start. */
const PATIENCE_MS = 3_600_000;
const PICTURE = { width: 61, height: 61 };

interface Options {
  /** Stored requests. */
  readonly rows: number;
  /** A built checkout of the version before, whose schema has neither months nor tables of keys and usage. */
  readonly project: string;
}

/** What goes on in the background behind an upgrade, and how it is known that it is over. */
const STEPS: Readonly<Record<string, string>> = {
  'pages and attempts are divided by month': 'select bool_and(divided) as done from request_parts()',
  'idempotency keys are copied': 'select complete as done from idempotency_mark',
  'usage is counted': 'select complete as done from usage_mark',
  'money is counted': 'select complete as done from money_mark',
};

/**
 * The upgrade of an installation with so many stored requests, while a process of the version before goes on accepting and ending thirty a
 * second: what each step takes, and for how long one of these requests is kept waiting beside one before the upgrade.
 */
export async function benchUpgrade({ rows: requests, project }: Options): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const { folder, databaseUrl, databasePid, engineUrl } = stack.use(await openGround());
  const before = { databaseUrl, engines: [instantEngine(engineUrl)], project: resolve(project) };
  await (await startProduct(before))[Symbol.asyncDispose](); // makes its schema
  const key = await makeKey(databaseUrl, { project: before.project });
  await fillStored(databaseUrl, { requests, schema: 'first' });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  await client.query('vacuum analyze');
  await client.query('checkpoint');

  const serving = stack.use(await startProduct(before));
  const caller = stack.use(new Caller(serving, key, await writeNoiseBody(folder, PICTURE)));
  await caller.during(() => sleep(QUIET_MS)); // compiled, as in service
  const quiet = await caller.during(() => sleep(QUIET_MS));
  const meter = new Meter(client, databasePid);
  await meter.begin();
  const start = await caller.during(async () => {
    stack.use(await startProduct({ databaseUrl, engines: before.engines, patienceMs: PATIENCE_MS }));
  });
  console.log(`${requests} requests: the new version was ready after ${await meter.lap()}`);
  const rows = [row('the new version starts and migrates', start, quiet)];
  for (const [what, look] of Object.entries(STEPS)) {
    const window = await caller.during(async () => {
      const isDone = async () => (await client.query<{ done: boolean }>(look)).rows[0]?.done === true;
      await until(what, isDone, { mostStepMs: LOOK_MS, patienceMs: PATIENCE_MS });
    });
    console.log(`${what}: after ${await meter.lap()} more`);
    if (window.calls > 0) rows.push(row(`until ${what}`, window, quiet));
  }
  show('The longest that a request to a process of the version before waited; anchor: before the upgrade', rows);
  return rows;
}

function row(what: string, window: Window, quiet: Window): Row {
  const pairs = [{ ours: window.longestMs, anchor: quiet.longestMs }];
  return compare({ what, unit: 'ms', better: 'less', bar: null }, pairs, (ms) => ms);
}

interface Window {
  readonly calls: number;
  readonly longestMs: number;
}

/** Sends a request every 33 ms, whatever became of the one before; fails when one is not answered with 200. */
class Caller implements AsyncDisposable {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #body: Buffer<ArrayBuffer>;
  readonly #under = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #latencies: number[] = [];
  #failure: Error | undefined;

  constructor({ url }: Product, key: string, bodyFile: string) {
    this.#url = `${url}/v1/ocr`;
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    this.#body = readFileSync(bodyFile);
    this.#timer = setInterval(() => {
      const call = this.#call().catch((error: unknown) => {
        this.#failure ??= error as Error;
      });
      this.#under.add(call);
      void call.finally(() => this.#under.delete(call));
    }, EVERY_MS);
  }

  /** The calls that began while the work went on. */
  async during(work: () => Promise<unknown>): Promise<Window> {
    const latencies: number[] = [];
    this.#latencies = latencies;
    await work();
    await Promise.all(this.#under);
    if (this.#failure) throw this.#failure;
    return { calls: latencies.length, longestMs: Math.max(...latencies) };
  }

  async #call(): Promise<void> {
    const latencies = this.#latencies;
    const begun = performance.now();
    const headers = { ...this.#headers, 'idempotency-key': randomUUID() };
    const response = await fetch(this.#url, { method: 'POST', headers, body: this.#body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
    latencies.push(performance.now() - begun);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#under);
  }
}

/** What has gone by since the last look: time, PostgreSQL's processor time, and its log. */
class Meter {
  readonly #client: Client;
  readonly #pid: number;
  #at = 0;
  #cpuMs = 0;
  #lsn = '0/0';

  constructor(client: Client, pid: number) {
    this.#client = client;
    this.#pid = pid;
  }

  async begin(): Promise<void> {
    this.#at = performance.now();
    this.#cpuMs = treeCpuMs(this.#pid);
    this.#lsn =
      (await this.#client.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')).rows[0]?.lsn ?? '0/0';
  }

  async lap(): Promise<string> {
    const { rows } = await this.#client.query<{ bytes: string }>(
      'select pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::text as bytes',
      [this.#lsn],
    );
    const seconds = (performance.now() - this.#at) / 1000;
    const cpuSeconds = (treeCpuMs(this.#pid) - this.#cpuMs) / 1000;
    await this.begin();
    const megabytes = Number(rows[0]?.bytes) / 1e6;
    return `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of PostgreSQL’s processor time, ${megabytes.toFixed(0)} MB of log)`;
  }
}
