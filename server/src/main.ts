import { createServer, type Server } from 'node:http';
import { openApp } from './app.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './database/open.ts';
import { welcome } from './demo-account.ts';
import { makeLog } from './log.ts';

const config = readConfig();
const log = makeLog(config.logLevel);

/** Everything in one process: the API, and the work behind it. */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const stop = stopSignal();
  const database = stack.use(await openDatabase(config, log));
  const app = stack.use(await openApp(config, database.url, log));
  const options = { keepAliveTimeout: 65_000, requestTimeout: 0, maxHeaderSize: 16_384 };
  for (const [listener, port] of [
    [app.dashboard, config.dashboardPort],
    [app.api, config.port],
  ] as const) {
    const server = createServer(options, listener);
    await listen(server, port, config.host);
    stack.defer(() => close(server));
  }
  app.start();
  log.info({ url: `http://${config.host}:${config.port}` }, 'ocr-router is ready');
  await welcome(config, database.url);
  await stop;
  log.info('stopping');
}

/** A terminal and npm both pass the signal on: the second one must not cut the orderly end short. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve());
  });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

/** Takes no new connections; those that are idle end at once, those at work when their answer is out. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 5000).unref();
  });
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    log.fatal({ err: error }, error.message);
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 200);
  },
);
