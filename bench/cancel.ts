import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProduct } from '../test/house/product.ts';
import { missingRedis, RedisServer } from '../test/house/redis.ts';
import { compare, interleave, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { show } from './show.ts';
import { instantEngine, makeKey, openGround } from './stage.ts';

const PICTURE = { width: 61, height: 61 };
/** Cancellations of one measurement, after the first, which opens the connections. */
const TIMES = 5;
const LIMIT_MS = { withRedis: 500, without: 5000 };

/** From a cancellation at one process until the other one has given up its call of the engine; the anchor is the limit. */
export async function benchCancel({ rounds }: { rounds: number }): Promise<Row[]> {
  const rows: Row[] = [];
  const missing = missingRedis();
  for (const [what, limitMs] of [
    ['with Redis', LIMIT_MS.withRedis],
    ['without Redis', LIMIT_MS.without],
  ] as const) {
    if (what === 'with Redis' && missing) {
      console.log(`\ncancel with Redis: skipped, ${missing}`);
      continue;
    }
    await using two = await openTwo(what === 'with Redis');
    await two.cancelledMs();
    const pairs = await interleave(
      rounds,
      async () => slowest(await repeat(TIMES, () => two.cancelledMs())),
      async () => limitMs,
    );
    const subject = { what: `${what}, the slowest of ${TIMES} : limit`, unit: 'ms', better: 'less', bar: 1 } as const;
    rows.push(compare(subject, pairs, (ms) => ms));
  }
  show('From POST /v1/ocr/{request_id}/cancel at one process to the end of the call of another', rows);
  return rows;
}

/** One that is asked to cancel and one that works; without Redis both do everything, and the other takes the request in. */
async function openTwo(hasRedis: boolean) {
  await using stack = new AsyncDisposableStack();
  const ground = stack.use(await openGround());
  const { databaseUrl } = ground;
  const redis = hasRedis ? stack.use(await RedisServer.start()) : null;
  const engine = stack.use(await SilentEngine.open());
  const env: Record<string, string> = redis ? { REDIS_URL: redis.url } : {};
  const options = { databaseUrl, engines: [instantEngine(engine.url)], env };
  const asked = stack.use(await startProduct({ ...options, role: redis ? 'api' : 'main' }));
  const works = stack.use(await startProduct({ ...options, role: redis ? 'worker' : 'main' }));
  const key = await makeKey(databaseUrl);
  const picture = JSON.parse(readFileSync(await writeNoiseBody(ground.folder, PICTURE), 'utf8'));
  const body = JSON.stringify({ ...picture, mode: 'async' });
  const entrance = redis ? asked : works;
  const post = async (url: string, content?: string) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(content !== undefined && { body: content }),
    });
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { request_id: string };
  };
  const owned = stack.move();
  return {
    /** How long the call goes on after its request is cancelled. */
    async cancelledMs(): Promise<number> {
      const called = engine.next();
      const { request_id } = await post(`${entrance.url}/v1/ocr`, body);
      const call = await called;
      const ended = once(call, 'close');
      const begun = performance.now();
      const [, endedAt] = await Promise.all([
        post(`${asked.url}/v1/ocr/${request_id}/cancel`),
        ended.then(() => performance.now()),
      ]);
      return endedAt - begun;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** An engine that never answers. */
class SilentEngine implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    request.resume();
    this.#next.resolve(response);
  });
  #next = Promise.withResolvers<ServerResponse>();

  static async open(): Promise<SilentEngine> {
    const engine = new SilentEngine();
    engine.#server.listen(0, '127.0.0.1');
    await once(engine.#server, 'listening');
    return engine;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`; // TCP: always an AddressInfo
  }

  /** The next call, as its answer. */
  next(): Promise<ServerResponse> {
    this.#next = Promise.withResolvers();
    return this.#next.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < times) taken.push(await work());
  return taken;
}

function slowest(times: readonly number[]): number {
  return Math.max(...times);
}
