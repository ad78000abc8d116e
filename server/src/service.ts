import type { RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { dashboardAddress } from './accounts/login/dashboard-address.ts';
import { openDatabase } from './database/open.ts';
import type { UpgradeListener } from './graphql/sockets.ts';
import { Listener } from './http/connections/listener.ts';
import type { Listeners } from './http/open-http.ts';
import type { Config } from './platform/config.ts';
import { linkErrors } from './platform/errors.ts';
import { localUrl } from './platform/local-url.ts';
import type { Log } from './platform/logging/log.ts';
import type { Role } from './platform/role.ts';
import { SettingError } from './platform/settings/setting-error.ts';
import { openTracing } from './platform/tracing/open-tracing.ts';
import { VERSION } from './platform/version.ts';

/** How long loading waits for PostgreSQL's process to be made. */
const SPAWN_LIMIT_MS = 150;

/** What answers and works, until its holder disposes of it. */
export interface Service extends AsyncDisposable {
  /** Answers 503 at `/readyz`, takes no more work, and gives what runs time to end. */
  drain(): Promise<void>;
}

/** Opens the database and the app, listens, and begins the background work. Throws `SettingError` where an operator can mend it. */
export async function openService(role: Role, config: Config, log: Log): Promise<Service> {
  if (role !== 'all' && (config.databaseUrl === null || config.redisUrl === null)) {
    throw new SettingError(
      'An API or a worker needs DATABASE_URL and REDIS_URL; everything in one process (`ocr-router serve`, `npm start`) needs neither.',
    );
  }
  linkErrors(config.docsUrl);
  await using stack = new AsyncDisposableStack();
  stack.use(await openTracing(config.tracing, VERSION));
  const spawned = Promise.withResolvers<void>();
  const opening = openDatabase(config, log, { onSpawn: spawned.resolve });
  opening.catch(() => undefined); // told where it is waited for
  // Most of the code is loaded while PostgreSQL starts, or makes its files.
  await Promise.race([spawned.promise, opening, sleep(SPAWN_LIMIT_MS)]);
  const [{ openApp }, { isFirstStart, makeFirstAccount }, { makeServer }] = await Promise.all([
    import('./app.ts'),
    import('./admin/first-account.ts'),
    import('./http/connections/make-server.ts'),
  ]);
  const database = stack.use(await opening);
  const looking = role === 'worker' ? Promise.resolve(false) : isFirstStart(config, database.url);
  looking.catch(() => undefined); // told where it is waited for
  const app = stack.use(await openApp(config, database, { role, log }));
  const servers: Listener[] = [];
  stack.defer(async () => {
    await Promise.all(servers.map((server) => server.close()));
  });
  const showFirstAccount = (await looking) ? await makeFirstAccount(config, database.url, log) : null;
  showFirstAccount?.(); // before anything is answered, and also where nothing can be: it is shown once
  const endpoints = endpointsOf(role, config, app.listeners);
  for (const endpoint of endpoints) {
    const server = makeServer(endpoint.listener);
    await listen(server, endpoint.port, config.host).catch((error: Error) => {
      throw portError(error, endpoint, { host: config.host, endpoints });
    });
    servers.push(new Listener(server, endpoint.sockets));
  }
  app.start();
  const opened = stack.move();
  return { drain: () => app.drain(), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Where a browser and a client find it. */
export function addressesOf(config: Config): Record<string, string> {
  return { url: localUrl(config.host, config.port), dashboard: dashboardAddress(config).href };
}

interface Endpoint {
  readonly listener: RequestListener;
  readonly sockets: UpgradeListener | null;
  readonly port: number;
  readonly setting: 'PORT' | 'DASHBOARD_PORT' | 'WORKER_PORT' | 'METRICS_PORT';
}

/** A worker answers its probes only, where a port for them is set; any process its figures, where they have their own. */
function endpointsOf(role: Role, config: Config, app: Listeners): Endpoint[] {
  const { workerPort, metricsPort } = config;
  const metrics: Endpoint = { listener: app.metrics, sockets: null, port: metricsPort, setting: 'METRICS_PORT' };
  const own = metricsPort === 0 ? [] : [metrics];
  if (role === 'worker') {
    const probes: Endpoint = { listener: app.probes, sockets: null, port: workerPort, setting: 'WORKER_PORT' };
    return workerPort === 0 ? own : [probes, ...own];
  }
  return [
    ...own,
    { listener: app.dashboard, sockets: app.dashboardSockets, port: config.dashboardPort, setting: 'DASHBOARD_PORT' },
    { listener: app.api, sockets: app.apiSockets, port: config.port, setting: 'PORT' },
  ];
}

/** Why an address cannot be listened on, by the setting that chooses it. */
function portError(
  error: Error & { code?: string },
  { port, setting }: Endpoint,
  { host, endpoints }: { host: string; endpoints: readonly Endpoint[] },
): Error {
  const twin = endpoints.find((other) => other.port === port && other.setting !== setting);
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: twin
      ? `${setting}: ${twin.setting} is port ${port}, too; choose another port for one of them.`
      : `${setting}: another program has port ${port} of ${host}; stop it, or choose another port.`,
    EACCES: `${setting}: this user may not open port ${port}; choose one above 1023.`,
    EADDRNOTAVAIL: `HOST: this machine has no address ${host}.`,
    ENOTFOUND: `HOST: there is no address ${host}.`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? error : new SettingError(reason, { cause: error });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
