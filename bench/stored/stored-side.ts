import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { LedgerProof } from '../../server/src/billing/ledger-proof.ts';
import { type Product, startProduct } from '../../test/house/product.ts';
import { medianMs } from '../call-times.ts';
import { openQueueDatabase, type QueueDatabase } from '../queue-database.ts';
import { instantEngine, load, makeKey, nextKey, type openGround, type Target } from '../stage.ts';
import { fillStored, isFilled } from './fill-stored.ts';

const QUEUED = { requests: 400, accounts: 100 };
const RESULTS = 400;
/** Of so many stored requests one is rolled up in a millisecond at the slowest. */
const PATIENCE_MS = 600_000;

/** An installation with so many stored requests. */
export interface StoredSide extends AsyncDisposable {
  readonly url: string;
  /** A claim of four, of a queue that is the same on every side; before the service starts. */
  claimMs(seconds: number): Promise<number>;
  /** Takes the queue away and starts the service. */
  start(): Promise<void>;
  /** Another process in place of the one that runs: what V8 has made of the code and where it lies differ from one to the next. */
  restart(): Promise<void>;
  post(order: { clients: number; seconds: number; bodyFile: string }): ReturnType<typeof load>;
  /** Reads results of the caller, chosen over the whole time. */
  getResults(order: { clients: number; seconds: number }): ReturnType<typeof load>;
  /** The median of a call of the API. */
  callMs(path: string, seconds: number): Promise<number>;
  /** The median of a page of usage, as the dashboard asks for it. */
  usageMs(seconds: number): Promise<number>;
  /** The median of a GraphQL query. */
  askMs(query: string, seconds: number): Promise<number>;
  /** What a proof takes that reads what came since the one before. */
  proofMs(): Promise<number>;
}

/** A process of the service. */
interface Service {
  readonly product: Product;
  readonly target: Target;
}

/** Whose key the caller has, and the results that it reads. */
interface Owner {
  readonly accountId: string;
  readonly paths: readonly string[];
}

type Ground = Awaited<ReturnType<typeof openGround>>;

interface SideOptions {
  /** Of its database. */
  readonly name: string;
  readonly requests: number;
  /** From one run of the bench to the next. */
  readonly stays: boolean;
}

export async function openStoredSide(ground: Ground, { name, requests, stays }: SideOptions): Promise<StoredSide> {
  await using stack = new AsyncDisposableStack();
  const queue = stack.use(await openQueueDatabase(ground.databaseUrl, name, { stays }));
  const { url } = queue;
  const accountId = await accountOf(queue.client);
  const key = accountId === null ? await makeKey(url) : await nextKey(url, accountId);
  const started = performance.now();
  if (await isFilled(url)) await clear(queue);
  else await fillStored(url, { requests, schema: 'today' });
  await queue.fill(QUEUED);
  console.log(`${requests} requests were filled in in ${Math.round((performance.now() - started) / 1000)} s`);
  const proof = new LedgerProof(url);
  const owned = stack.move();
  let service: Service | null = null;
  let owner: Owner = { accountId: '', paths: [] };
  owned.defer(() => service?.product[Symbol.asyncDispose]());
  const running = () => {
    if (!service) throw new Error('the service was not started');
    return service;
  };
  const startService = async () => {
    const product = await startProduct({
      databaseUrl: url,
      engines: [instantEngine(ground.engineUrl)],
      env: { LOG_LEVEL: 'info' },
    });
    service = { product, target: { port: Number(new URL(product.url).port), pid: product.pid, key } };
  };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const api = () => `http://127.0.0.1:${running().target.port}`;
  const prove = async () => {
    const bad = (await proof.check({ fast: true })).filter(({ ok }) => !ok);
    if (bad.length > 0) throw new Error(`the books are not in order: ${JSON.stringify(bad)}`);
  };
  return {
    url,
    claimMs: (seconds) => queue.claimMs({ claimers: 1, places: 4, seconds }),
    async start() {
      await clear(queue);
      await startService();
      await countedIn(queue.client, requests);
      const id = (await accountOf(queue.client)) ?? '';
      owner = { accountId: id, paths: await pathsOf(queue.client, id, requests) };
      await prove(); // the first one reads everything
    },
    async restart() {
      await running().product[Symbol.asyncDispose]();
      await startService();
    },
    post: (order) => load(running().target, { ...order, paths: ['/v1/ocr'] }),
    getResults: (order) => load(running().target, { ...order, paths: owner.paths, bodyFile: null }),
    callMs: (path, seconds) => medianMs(seconds, () => call(() => fetch(api() + path, { headers }))),
    usageMs(seconds) {
      const { dashboardUrl } = running().product;
      const query = `user_id=${owner.accountId}&per_page=50`;
      return medianMs(seconds, () => call(() => fetch(`${dashboardUrl}/api/usage?${query}`, { headers })));
    },
    askMs(query, seconds) {
      const init = { method: 'POST', headers, body: JSON.stringify({ query }) };
      return medianMs(seconds, () => call(() => fetch(`${api()}/graphql`, init)));
    },
    async proofMs() {
      const begun = performance.now();
      await prove();
      return performance.now() - begun;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What the claims had is none of the books'. */
async function clear({ client }: QueueDatabase): Promise<void> {
  for (const statement of [
    'drop table if exists queue_copy',
    'delete from queued_request',
    'delete from stored_document',
    `delete from ocr_request where status in ('queued', 'processing')`,
    `delete from wallet where account_id::text like '00000000-0000-4000-8000-%'`,
    `delete from account where id::text like '00000000-0000-4000-8000-%'`,
    'vacuum analyze',
  ]) {
    await client.query(statement);
  }
}

/** Until usage and figures of engines have all that was filled in. */
async function countedIn(client: Client, requests: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS + requests;
  for (;;) {
    const { rows } = await client.query(`select exists (select from usage_event)
      or exists (select from attempt where recorded_xid >= (select recorded_before from roll_up_mark)) as open`);
    if (!rows[0].open) break;
    if (performance.now() > deadline) throw new Error('what was filled in was not counted in time');
    await sleep(500);
  }
  await client.query('vacuum analyze');
  await client.query('checkpoint'); // or its writing would fall into the measurement
}

async function accountOf(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(`select id from account where email = 'bench@localhost'`);
  return rows[0]?.id ?? null;
}

/** Paths of results of the account with the key, evenly over the whole time. */
async function pathsOf(client: Client, accountId: string, requests: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select r.id from generate_series(1, $1::int) i cross join lateral (
       select id from ocr_request where account_id = $2 and status = 'succeeded'
         and id >= left(lowest_request_id(now() - (i * interval '300 days' / $1::int)), 14) order by id limit 1) r`,
    [Math.min(RESULTS, requests), accountId],
  );
  return rows.map(({ id }) => `/v1/ocr/${id}`);
}

async function call(ask: () => Promise<Response>): Promise<void> {
  const response = await ask();
  const text = await response.text();
  if (response.status !== 200 || text.includes('"errors"'))
    throw new Error(`${response.status}: ${text.slice(0, 300)}`);
}
