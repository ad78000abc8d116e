import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../test/house/free-ports.ts';
import { startProduct } from '../test/house/product.ts';
import { RedisServer } from '../test/house/redis.ts';
import { Arrivals } from './arrivals.ts';
import { startChild } from './child.ts';
import { compare, interleave, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { show } from './show.ts';
import { instantEngine, makeKey, openGround } from './stage.ts';

const PICTURE = { width: 61, height: 61 };
/** The compilers of both sides need some thousand requests before their figures stay. */
const WARM_UP = 3000;
const HOPS_PER_SECOND = 50;
/** Until the next request, so that the end of one (its settlement, which the bare hop has none of) is not measured in the next. */
const PAUSE_MS = 8;
const BAR = 2;

/** Where asynchronous requests are sent. */
interface Entrance {
  readonly url: string;
  readonly key: string | null;
}

/** From a request to the call of its engine, one request at a time: what dispatch adds to the bare hop. */
export async function benchDispatch(options: { rounds: number; seconds: number }): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const ground = stack.use(await openGround());
  const { databaseUrl } = ground;
  const redis = stack.use(await RedisServer.start());
  const arrivals = stack.use(await Arrivals.open());
  const engines = [instantEngine(arrivals.url)];
  const key = await makeMigratedKey();
  const body = asynchronous(await writeNoiseBody(ground.folder, PICTURE));

  async function makeMigratedKey(): Promise<string> {
    await using _migrates = await startProduct({ databaseUrl, engines });
    return makeKey(databaseUrl);
  }

  const hop = async ({ url, key: bearer }: Entrance, times: number) => {
    const hopsMs: number[] = [];
    for (let i = 0; i < times; i++) {
      const arrived = arrivals.next();
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const answer = await fetch(`${url}/v1/ocr`, {
        method: 'POST',
        headers: bearer === null ? headers : { ...headers, authorization: `Bearer ${bearer}` },
        body,
      });
      if (answer.status !== 202) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      hopsMs.push(await arrived);
      await sleep(PAUSE_MS);
    }
    return hopsMs.sort((a, b) => a - b)[times >> 1] ?? Number.NaN;
  };
  const compared = async (what: string, ours: Entrance, anchor: Entrance) => {
    for (const side of [ours, anchor]) await hop(side, WARM_UP);
    const times = HOPS_PER_SECOND * options.seconds;
    const pairs = await interleave(
      options.rounds,
      () => hop(ours, times),
      () => hop(anchor, times),
    );
    return compare({ what, unit: 'ms', better: 'less', bar: BAR }, pairs, (ms) => ms);
  };

  const rows = [await inProcess(), await overRedis()];
  show('From a request to the call of its engine, p50; anchor: the same hop, bare', rows);
  return rows;

  async function inProcess(): Promise<Row> {
    await using product = await startProduct({ databaseUrl, engines });
    const [port = 0] = await freePorts(1);
    await using _bare = await startChild('bench/anchors/hop.ts', 'all', String(port), databaseUrl, arrivals.url);
    return await compared('a function call and one commit', { url: product.url, key }, bare(port));
  }

  async function overRedis(): Promise<Row> {
    const parts = { databaseUrl, engines, env: { REDIS_URL: redis.url } };
    await using api = await startProduct({ ...parts, role: 'api' });
    await using _worker = await startProduct({ ...parts, role: 'worker' });
    const [port = 0] = await freePorts(1);
    const anchor = [String(port), databaseUrl, arrivals.url, redis.url];
    await using _bareApi = await startChild('bench/anchors/hop.ts', 'api', ...anchor);
    await using _bareWorker = await startChild('bench/anchors/hop.ts', 'worker', ...anchor);
    return await compared('bee-queue and one commit', { url: api.url, key }, bare(port));
  }
}

function bare(port: number): Entrance {
  return { url: `http://127.0.0.1:${port}`, key: null };
}

function asynchronous(bodyFile: string): string {
  return JSON.stringify({ ...JSON.parse(readFileSync(bodyFile, 'utf8')), mode: 'async' });
}
