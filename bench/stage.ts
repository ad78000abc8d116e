import { join } from 'node:path';
import { connectOrStartEmbedded } from '../server/src/database/embedded.ts';
import type { EngineEntry } from '../server/src/engines/engines-file.ts';
import { makeLog } from '../server/src/platform/logging/log.ts';
import { freePorts } from '../test/house/free-ports.ts';
import { startProduct } from '../test/house/product.ts';
import { adminOf } from './admin.ts';
import { type Child, runJson, startChild } from './child.ts';
import { openFolder } from './folder.ts';
import type { LoadOrder, LoadReport } from './processes/load.ts';

/** A program that listens on this machine. */
export interface Target {
  readonly port: number;
  readonly pid: number;
  /** The API key it wants. */
  readonly key: string | null;
}

/** Everything a benchmark needs on one machine: a durable PostgreSQL, the product, the floor, an instant engine. */
export interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly product: Target;
  /** The anchor, on the same PostgreSQL and the same engine. */
  readonly floor: Target;
  readonly engine: Target;
  /** Lets a process of its own send requests to a target, and fails unless all answers are 200. */
  load(target: Target, order: Omit<LoadOrder, 'port' | 'key'>): Promise<LoadReport>;
}

const CREDIT_USD = '100000';
const LOG_CHARACTERS = 4000;

/**
 * What every stage stands on: a folder, a durable PostgreSQL, an engine that answers after so many milliseconds. With `dataDir`
 * the PostgreSQL is that of the folder, and stays.
 */
export async function openGround({ engineMs = 0, dataDir }: { engineMs?: number; dataDir?: string | undefined } = {}) {
  await using stack = new AsyncDisposableStack();
  const { folder } = stack.use(openFolder());
  const { url: databaseUrl, pid: databasePid } = stack.use(
    await connectOrStartEmbedded({ dataDir: dataDir ?? join(folder, 'data'), log: makeLog('warn') }),
  );
  const [enginePort = 0] = await freePorts(1);
  const engine = stack.use(await startChild('bench/processes/engine.ts', String(enginePort), String(engineMs)));
  const owned = stack.move();
  const engineUrl = `http://127.0.0.1:${enginePort}/v1`;
  return {
    folder,
    databaseUrl,
    databasePid,
    engine,
    enginePort,
    engineUrl,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export interface StageOptions {
  readonly engineMs?: number;
  /** Where the checkout is whose product is measured; this one when not given. */
  readonly project?: string;
  /** Settings of the product. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function openStage({ engineMs = 0, project, env }: StageOptions = {}): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const { folder, databaseUrl, engine, enginePort, engineUrl } = stack.use(await openGround({ engineMs }));
  const [floorPort = 0] = await freePorts(1);
  const product = stack.use(
    await startProduct({
      databaseUrl,
      engines: [instantEngine(engineUrl)],
      env: { LOG_LEVEL: 'info', ...env },
      ...(project !== undefined && { project }),
    }),
  );
  const key = await makeKey(databaseUrl, { project });
  const catalogue = await (await fetch(`${product.url}/v1/engines`)).text();
  const floor = stack.use(
    await startChild('bench/anchors/floor.ts', String(floorPort), databaseUrl, engineUrl, catalogue),
  );

  const owned = stack.move();
  const removeGuard = endOnSignal(owned);
  return {
    folder,
    databaseUrl,
    product: { port: Number(new URL(product.url).port), pid: product.pid, key },
    floor: target(floor, floorPort),
    engine: target(engine, enginePort),
    load: (to, order) =>
      load(to, order).catch((cause) => {
        if (product.running) throw cause;
        throw new Error(`the product ended under load: ${product.logs().slice(-LOG_CHARACTERS)}`, { cause });
      }),
    async [Symbol.asyncDispose]() {
      removeGuard();
      await owned.disposeAsync();
    },
  };
}

export function instantEngine(baseUrl: string): EngineEntry {
  const names = { id: 'instant', name: 'Instant', provider: 'bench', adapter: 'openai', model: 'bench' };
  return { ...names, base_url: baseUrl, price_per_page_usd: 0.001, concurrency: 64, probe: false };
}

/** A key of a new account with credit and without a rate limit. */
export async function makeKey(
  databaseUrl: string,
  { project = '.', email = 'bench@localhost' }: { project?: string | undefined; email?: string } = {},
): Promise<string> {
  const admin = adminOf(databaseUrl, project);
  const plan = ['--credit', CREDIT_USD, '--tier', 'unlimited'];
  const { account_id = '' } = await admin('account', 'create', '--email', email, ...plan);
  return nextKey(databaseUrl, account_id, project);
}

/** Another key of an account. */
export async function nextKey(databaseUrl: string, accountId: string, project = '.'): Promise<string> {
  const { api_key = '' } = await adminOf(databaseUrl, project)('key', 'create', '--account', accountId);
  return api_key;
}

function target({ pid }: Child, port: number): Target {
  return { port, pid, key: null };
}

export async function load({ port, key }: Target, order: Omit<LoadOrder, 'port' | 'key'>): Promise<LoadReport> {
  const whole: LoadOrder = { port, key, ...order };
  const report = await runJson<LoadReport>(['bench/processes/load.ts', JSON.stringify(whole)]);
  if (report.notOk > 0) throw new Error(`${report.notOk} answers were not 200, the first: ${report.firstNotOk}`);
  return report;
}

/** Whoever stops the bench leaves no process behind. Returns what takes the guard away. */
function endOnSignal(stack: AsyncDisposableStack): () => void {
  const quit = () => void stack.disposeAsync().finally(() => process.exit(130));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, quit);
  return () => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, quit);
  };
}
