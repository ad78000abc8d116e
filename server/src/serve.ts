import type { RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { dashboardAddress } from './accounts/login/dashboard-address.ts';
import { openDatabase } from './database/open.ts';
import type { UpgradeListener } from './graphql/sockets.ts';
import type { Listeners } from './http/open-http.ts';
import { type Config, readConfig } from './platform/config.ts';
import { linkErrors } from './platform/errors.ts';
import { armFault } from './platform/fault.ts';
import { localUrl } from './platform/local-url.ts';
import { type Log, makeLog } from './platform/logging/log.ts';
import type { Role } from './platform/role.ts';
import { SettingError } from './platform/settings/setting-error.ts';
import { stopSignal } from './platform/stop-signal.ts';
import { openTracing } from './platform/tracing/open-tracing.ts';
import { VERSION } from './platform/version.ts';
import { type PacedReads, paceReads } from './rest/body/paced-reads.ts';

/** How long loading waits for PostgreSQL's process to be made. */
const SPAWN_LIMIT_MS = 150;
/** How long answers that are on their way may take at a stop, once the work behind them has ended. */
const CLOSE_LIMIT_MS = 3000;
/** How long a stop may take beyond `SHUTDOWN_LIMIT_MS`: closing connections, handing work back, stopping the database. */
const STOP_GRACE_MS = 10_000;

/** Runs a process of the service until it is asked to stop; ends the process. */
export function serve(role: Role): void {
  const config = usableConfig();
  const log = makeLog(config.logLevel, config.logFormat);
  armFault(config.fault);
  process.stdout.on('error', nobodyReads);
  run(role, config, log).then(
    () => process.exit(0),
    (error: Error) => {
      report(log, error);
      process.exitCode = 1;
      setTimeout(() => process.exit(1), 200);
    },
  );
}

function usableConfig(): Config {
  try {
    return readConfig();
  } catch (error) {
    report(makeLog('info', process.stdout.isTTY ? 'pretty' : 'json'), error as Error);
    process.exit(1);
  }
}

/** The terminal was closed, or the reader of the pipe has gone: the service goes on. */
function nobodyReads(): void {}

/** What an operator can mend is said in a sentence; for everything else the places are needed. */
function report(log: Log, error: Error): void {
  if (error instanceof SettingError) log.fatal(error.message);
  else log.fatal({ err: error }, error.message);
}

async function run(role: Role, config: Config, log: Log): Promise<void> {
  if (role !== 'all' && (config.databaseUrl === null || config.redisUrl === null)) {
    throw new SettingError(
      '`npm run api` and `npm run worker` need DATABASE_URL and REDIS_URL; `npm start` needs neither.',
    );
  }
  linkErrors(config.docsUrl);
  await using stack = new AsyncDisposableStack();
  const stop = stopSignal({ withParent: config.startedByNpm, log });
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
  log.info({ role, ...(role !== 'worker' && addresses(config)) }, 'ocr-router is ready');
  const reason = await stop;
  log.info({ reason, limitMs: config.shutdownLimitMs }, 'stopping');
  setTimeout(() => giveUp(log), config.shutdownLimitMs + STOP_GRACE_MS).unref();
  await app.drain();
}

function addresses(config: Config): Record<string, string> {
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

/** A stop that hangs ends all the same: what was not handed back is taken over when its lease ends. */
function giveUp(log: Log): void {
  log.error('the stop took too long: ending at once');
  process.exit(1);
}

/** An HTTP server and the sockets that were upgraded on it, which the server itself no longer knows. */
class Listener {
  readonly #server: Server;
  readonly #upgraded = new Set<Duplex>();
  readonly #paced = new WeakMap<Duplex, PacedReads>();

  constructor(server: Server, sockets: UpgradeListener | null) {
    this.#server = server;
    server.on('connection', (socket) => {
      const paced = paceReads(socket);
      if (paced) this.#paced.set(socket, paced);
    });
    if (!sockets) return;
    server.on('upgrade', (req, socket, head) => {
      this.#upgraded.add(socket);
      socket.once('close', () => this.#upgraded.delete(socket));
      const rest = this.#paced.get(socket)?.release();
      sockets(req, socket, rest ? Buffer.concat([head, rest]) : head);
    });
  }

  /** Takes no new connections; idle ones end at once, those at work when their answer is out, all when time is up. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      // A connection becomes idle when its answer is out, which the server does not notice by itself.
      const idle = setInterval(() => this.#server.closeIdleConnections(), 50);
      const late = setTimeout(() => {
        this.#server.closeAllConnections();
        for (const socket of this.#upgraded) socket.destroy();
      }, CLOSE_LIMIT_MS);
      this.#server.close(() => {
        clearInterval(idle);
        clearTimeout(late);
        resolve();
      });
    });
  }
}
