import { createServer, type RequestListener, type Server } from 'node:http';
import { dashboardAddress } from './accounts/dashboard-address.ts';
import { openApp, type Role } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { openDatabase } from './database/open.ts';
import { welcome } from './demo-account.ts';
import { armFault } from './fault.ts';
import type { UpgradeListener } from './graphql/sockets.ts';
import { type Log, makeLog } from './log.ts';

/** Runs a process of the service until it is asked to stop; ends the process. */
export function serve(role: Role): void {
  const config = readConfig();
  const log = makeLog(config.logLevel);
  armFault(config.fault);
  run(role, config, log).then(
    () => process.exit(0),
    (error: Error) => {
      log.fatal({ err: error }, error.message);
      process.exitCode = 1;
      setTimeout(() => process.exit(1), 200);
    },
  );
}

async function run(role: Role, config: Config, log: Log): Promise<void> {
  if (role !== 'all' && (config.databaseUrl === null || config.redisUrl === null)) {
    throw new Error('`npm run api` and `npm run worker` need DATABASE_URL and REDIS_URL; `npm start` needs neither.');
  }
  await using stack = new AsyncDisposableStack();
  const stop = stopSignal();
  const database = stack.use(await openDatabase(config, log));
  const app = stack.use(await openApp(config, database.url, { role, log }));
  for (const { listener, sockets, port } of doorsOf(role, config, app)) {
    const server = await listen(listener, port, config.host);
    if (sockets) server.on('upgrade', sockets);
    stack.defer(() => close(server));
  }
  app.start();
  log.info({ role, ...(role !== 'worker' && addresses(config)) }, 'ocr-router is ready');
  if (role !== 'worker') await welcome(config, database.url);
  await stop;
  log.info('stopping');
  await app.drain();
}

function addresses(config: Config): Record<string, string> {
  return { url: `http://${config.host}:${config.port}`, dashboard: dashboardAddress(config).href };
}

interface Door {
  readonly listener: RequestListener;
  readonly sockets: UpgradeListener | null;
  readonly port: number;
}

type Listeners = Pick<Awaited<ReturnType<typeof openApp>>, 'api' | 'dashboard' | 'apiSockets' | 'dashboardSockets'>;

/** A worker has a door for its probes only, where one is wished for. */
function doorsOf(role: Role, config: Config, app: Listeners): Door[] {
  if (role === 'worker') {
    return config.workerPort === 0 ? [] : [{ listener: app.api, sockets: null, port: config.workerPort }];
  }
  return [
    { listener: app.dashboard, sockets: app.dashboardSockets, port: config.dashboardPort },
    { listener: app.api, sockets: app.apiSockets, port: config.port },
  ];
}

/** A terminal and npm both pass the signal on: the second one must not cut the orderly end short. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve());
  });
}

function listen(listener: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0, maxHeaderSize: 16_384 }, listener);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** Takes no new connections; those that are idle end at once, those at work when their answer is out. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection becomes idle when its answer is out, which the server does not notice by itself.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
    setTimeout(() => server.closeAllConnections(), 5000).unref();
  });
}
