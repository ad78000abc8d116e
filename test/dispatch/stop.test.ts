import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { DatabaseProxy } from '../house/database-proxy.ts';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { openOwnHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { startProduct } from '../house/product.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const LIMIT_MS = 1500;
/** What work that was given back, connections and jobs get to end, on a machine that is busy. */
const CLOSING_MS = 5000;

/** A client as the console has one: it comes back whenever it is sent away, soon and for ever. */
function comesBack(address: string, key: string | null, headers: Record<string, string> = {}) {
  let opened = 0;
  const client = createClient({
    url: `${address.replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { headers });
      }
    },
    connectionParams: key === null ? {} : { authorization: `Bearer ${key}` },
    lazy: false,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
    onNonLazyError: () => undefined,
    on: { connected: () => void opened++ },
  });
  return { client, opened: () => opened };
}

describe('a stop', () => {
  it('ends with consoles and dashboards that come back, and work under way', async () => {
    await using house = await openOwnHouse({ env: { SHUTDOWN_LIMIT_MS: String(LIMIT_MS) } });
    const { accountId, apiKey, caller } = await house.account();
    const { dashboardUrl } = house.product;
    const { cookie } = await house.admin.createSession(accountId, new URL(dashboardUrl));
    house.engines.script('reader', () => new Promise(() => {}));
    const console = comesBack(house.product.url, apiKey);
    const dashboard = comesBack(dashboardUrl, null, { cookie, origin: dashboardUrl });
    await until('both are connected', () => console.opened() > 0 && dashboard.opened() > 0);
    const { body } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
    expect(body.status).toBe('processing');
    await until('it runs', () => house.engines.calls('reader').length === 1);
    const asked = performance.now();
    house.product.signal('SIGTERM');
    await until('the process has ended', () => !house.product.running);
    expect(performance.now() - asked).toBeLessThan(LIMIT_MS + CLOSING_MS);
    expect(house.product.end, house.product.logs()).toBe(0);
    await Promise.allSettled([console.client.dispose(), dashboard.client.dispose()]); // there is no service any more
  });

  it('gives back what runs, also when the database is away for a moment just then', async () => {
    await using proxy = await DatabaseProxy.open();
    await using house = await openOwnHouse({ proxy, env: { SHUTDOWN_LIMIT_MS: String(LIMIT_MS) } });
    const { caller } = await house.account();
    house.engines.script('reader', () => new Promise(() => {}));
    const { body } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
    await until('it runs', () => house.engines.calls('reader').length === 1);
    const refusal = proxy.refuse(/^lease-hand-back$/, '57P03');
    house.product.signal('SIGTERM');
    await until('the database has refused it', () => refusal.refused > 0);
    refusal.release();
    await until('the process has ended', () => !house.product.running);
    const ROW = `select status, starts from ocr_request where id = '${body.request_id}'`;
    expect(await readSql(house.databaseUrl, ROW)).toEqual([{ status: 'queued', starts: 0 }]);
  });

  it('gives back what it has claimed without knowing: the answer was lost', async () => {
    await using proxy = await DatabaseProxy.open();
    await using house = await openOwnHouse({
      proxy,
      engines: { narrow: { concurrency: 1 } },
      env: { SHUTDOWN_LIMIT_MS: String(LIMIT_MS) },
    });
    const { caller } = await house.account();
    const gate = makeGate();
    house.engines.script('narrow', (_call, nth) =>
      nth === 1 ? gate.opened.then(() => says('read')) : new Promise(() => {}),
    );
    await caller.ocr(await pictureBody('narrow', { mode: 'async' }));
    const { body } = await caller.ocr(await pictureBody('narrow', { mode: 'async' }));
    await until('the first one runs', () => house.engines.calls('narrow').length === 1);
    const trap = proxy.trap('lease-claim', 'lose-reply');
    gate.open();
    await trap.strikes();
    trap.release();
    house.product.signal('SIGTERM'); // before two heartbeats have shown it
    await until('the process has ended', () => !house.product.running);
    const ROW = `select status, starts, suspicion from ocr_request where id = '${body.request_id}'`;
    expect(await readSql(house.databaseUrl, ROW)).toEqual([{ status: 'queued', starts: 0, suspicion: null }]);
  });

  it('by SIGHUP ends also when nobody reads what it writes any more', async () => {
    await using product = await startProduct({ env: { LOG_LEVEL: 'info' } });
    product.stopReading();
    product.signal('SIGHUP');
    await until('it has ended', () => !product.running);
    expect(product.end).toBe(0);
  });

  it('with the embedded database tells of no connection that was lost', async () => {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'ocr-router-stop-'));
    stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
    const env = { DATA_DIR: join(folder, 'data') };
    const product = stack.use(await startProduct({ databaseUrl: '', env }));
    // Many connections, so that some hear the database go.
    const looks = Array.from({ length: 60 }, (_, n) =>
      fetch(`${product.url}/v1/engines/${n % 2 ? 'stats' : 'health'}`),
    );
    for (const { status } of await Promise.all(looks)) expect(status).toBe(200);
    await product.stop();
    expect(product.end).toBe(0);
    expect(product.logs()).not.toMatch(/connection/i);
  });

  it('by SIGINT ends at once when it is asked for again', async () => {
    await using house = await openOwnHouse({ env: { SHUTDOWN_LIMIT_MS: '600000', LOG_LEVEL: 'info' } });
    const { caller } = await house.account();
    const gate = makeGate();
    house.engines.script('reader', () => gate.opened as never);
    await caller.ocr(await pictureBody('reader', { mode: 'async' }));
    await until('it runs', () => house.engines.calls('reader').length === 1);
    house.product.signal('SIGINT');
    await until('it stops', () => house.product.logs().includes('stopping'));
    await until('it has ended', () => {
      house.product.signal('SIGINT');
      return !house.product.running;
    });
    expect(house.product.end).toBe(130);
  });
});
