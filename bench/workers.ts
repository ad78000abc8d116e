import { startProduct } from '../test/house/product.ts';
import { RedisServer } from '../test/house/redis.ts';
import { compare, interleave, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { show } from './show.ts';
import { instantEngine, load, makeKey, openGround } from './stage.ts';

const ENGINE_MS = 50;
/** Of each worker: what one finishes in a second is this, divided by the engine's time. */
const CONCURRENCY = 2;
const CLIENTS = 32;
const PICTURE = { width: 61, height: 61 };

/** What four workers finish in the time in which one finishes some, over PostgreSQL and Redis, behind one API process. */
export async function benchWorkers(options: { rounds: number; seconds: number }): Promise<Row[]> {
  const measure = (workers: number) => requestsPerSecond(workers, options.seconds);
  const pairs = await interleave(
    options.rounds,
    () => measure(4),
    () => measure(1),
  );
  const subject = { what: 'four workers : one', unit: 'requests/s', better: 'more', bar: 3.5 } as const;
  const rows = [compare(subject, pairs, (perSecond) => perSecond)];
  show(`An engine that waits ${ENGINE_MS} ms, ${CONCURRENCY} calls at once a worker; anchor: one worker`, rows);
  return rows;
}

async function requestsPerSecond(workers: number, seconds: number): Promise<number> {
  await using ground = await openGround({ engineMs: ENGINE_MS });
  await using redis = await RedisServer.start();
  const { databaseUrl } = ground;
  const engines = [{ ...instantEngine(ground.engineUrl), concurrency: CONCURRENCY }];
  const options = { databaseUrl, engines, env: { REDIS_URL: redis.url } };
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await startProduct({ ...options, role: 'api' }));
  for (let i = 0; i < workers; i++) stack.use(await startProduct({ ...options, role: 'worker' }));
  const key = await makeKey(databaseUrl);
  const target = { port: Number(new URL(api.url).port), pid: api.pid, key };
  const bodyFile = await writeNoiseBody(ground.folder, PICTURE);
  const order = { clients: CLIENTS, paths: ['/v1/ocr'], bodyFile };
  await load(target, { ...order, seconds: 1 });
  return (await load(target, { ...order, seconds })).perSecond;
}
