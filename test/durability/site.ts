import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterDirectory } from '../../embedded-postgres/src/folder/cluster.ts';
import { readRecord } from '../../embedded-postgres/src/folder/cluster-record.ts';
import { isAnswering, urlOf } from '../../embedded-postgres/src/server/connection.ts';
import { findPostmaster } from '../../embedded-postgres/src/server/postmaster.ts';
import { NAMES } from '../../server/src/database/embedded.ts';
import { DatabaseProxy } from '../house/database-proxy.ts';
import { freePorts } from '../house/free-ports.ts';
import { RedisServer } from '../house/redis.ts';
import { until } from '../house/until.ts';
import { Mortal } from './mortal.ts';
import { type MortalProduct, startMortalProduct } from './mortal-product.ts';
import { SECRETS_KEY } from './operator.ts';
import { OutsideDatabase } from './outside-database.ts';
import { Provider } from './provider.ts';
import { SmallDisk } from './small-disk.ts';

/** Everything that a run kills, and what it must not. */
export interface Site extends AsyncDisposable {
  readonly provider: Provider;
  readonly mortals: readonly Mortal[];
  readonly products: readonly MortalProduct[];
  /** Where callers send their requests; they take turns. */
  readonly apiUrls: readonly string[];
  readonly databaseUrl: string;
  /** Null where the product brings its own. */
  readonly outside: Outside | null;
  /** What the processes that run now have logged. */
  logs(): string;
}

/** A PostgreSQL outside of the product, what stands between the two, and what it stands on. */
interface Outside {
  readonly database: OutsideDatabase;
  readonly proxy: DatabaseProxy;
  readonly disk: SmallDisk | null;
}

/** How long one engine call may take in a run; longer where an event loop stands still while it is under way. */
const ENGINE_LIMIT_MS = 1500;
const LONG_ENGINE_LIMIT_MS = 90_000;
/** Shorter than a stopped process is waited for. */
const SHUTDOWN_LIMIT_MS = 10_000;

export interface SiteOptions {
  /** Two `api` and two `worker` processes over PostgreSQL and Redis, instead of everything in one process. */
  readonly redis: boolean;
  /** A database that stands outside, instead of one that is killed, too. */
  readonly databaseUrl?: string;
  /** PostgreSQL stands outside in any case, behind a proxy. */
  readonly outside?: boolean;
  /** Event loops stand still. */
  readonly holds?: boolean;
  /** Where the first start of the product dies: `point:n`. */
  readonly fault?: string;
}

export async function openSite(options: SiteOptions): Promise<Site> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-durability-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
  const provider = stack.use(await Provider.start(folder));
  const env = {
    ALLOW_PRIVATE_CIDRS: '127.0.0.0/8',
    ENGINE_LIMIT_MS: String(options.holds ? LONG_ENGINE_LIMIT_MS : ENGINE_LIMIT_MS),
    SHUTDOWN_LIMIT_MS: String(SHUTDOWN_LIMIT_MS),
    SECRETS_KEY,
  };
  const parts = await partsOf(options, stack, folder);
  const roles = options.redis ? (['api', 'api', 'worker', 'worker'] as const) : (['main'] as const);
  const products: MortalProduct[] = [];
  for (const role of roles) {
    const [api = 0, dashboard = 0] = await freePorts(2);
    const product = await startMortalProduct({
      role,
      engines: provider.engines,
      databaseUrl: parts.productUrl,
      ports: { api, dashboard },
      env: { ...env, ...parts.env },
      ...(options.fault && { fault: options.fault }),
    });
    products.push(stack.use(product));
  }
  const owned = stack.move();
  return {
    provider,
    products,
    mortals: [...products.map(({ mortal }) => mortal), ...parts.mortals],
    apiUrls: products.filter(({ mortal }) => mortal.kind !== 'worker').map(({ current }) => current.url),
    get databaseUrl() {
      return parts.databaseUrl();
    },
    outside: parts.outside,
    logs: () => products.map(({ current }) => current.logs()).join('\n'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Parts {
  /** What the product is told: nothing where it brings its own database. */
  readonly productUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mortals: readonly Mortal[];
  readonly outside: Outside | null;
  databaseUrl(): string;
}

async function partsOf(options: SiteOptions, stack: AsyncDisposableStack, folder: string): Promise<Parts> {
  const { databaseUrl } = options;
  if (options.redis || options.outside) return openOutside(options, stack, folder);
  if (databaseUrl === undefined) return embedded(folder);
  return { productUrl: databaseUrl, env: {}, mortals: [], outside: null, databaseUrl: () => databaseUrl };
}

/** The product starts PostgreSQL itself, and restarts it. */
function embedded(folder: string): Parts {
  const dataDir = join(folder, 'data');
  const record = () => {
    const found = readRecord(dataDir);
    if (!found) throw new Error('the product has made no database');
    return found;
  };
  const postmaster = () => findPostmaster(clusterDirectory(dataDir, record()));
  const databaseUrl = () => urlOf({ ...record(), names: NAMES });
  return {
    productUrl: '',
    env: { DATA_DIR: dataDir },
    mortals: [
      new Mortal('postgres', {
        kill: () => {
          const found = postmaster();
          if (found) process.kill(found.pid, 'SIGKILL');
        },
        revive: () => until('PostgreSQL answers', () => isAnswering(databaseUrl())).then(() => undefined),
      }),
    ],
    outside: null,
    databaseUrl,
  };
}

/** PostgreSQL, and Redis where there is one, are services of their own, which something else than the product keeps alive. */
async function openOutside({ redis }: SiteOptions, stack: AsyncDisposableStack, folder: string): Promise<Parts> {
  const dataDir = join(folder, 'data');
  const disk = await SmallDisk.mount(dataDir);
  if (disk) stack.use(disk);
  const database = stack.use(await OutsideDatabase.open(dataDir));
  const proxy = stack.use(await DatabaseProxy.open());
  const mortals = [new Mortal('postgres', { kill: () => database.kill(), revive: () => database.start() })];
  const parts = {
    productUrl: proxy.urlTo(database.url),
    mortals,
    outside: { database, proxy, disk },
    databaseUrl: () => database.url,
  };
  if (!redis) return { ...parts, env: {} };
  const server = stack.use(await RedisServer.start());
  mortals.push(new Mortal('redis', { kill: () => server.kill(), revive: () => server.start() }));
  return { ...parts, env: { REDIS_URL: server.url } };
}
