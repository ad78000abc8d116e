import { freePorts } from '../test/house/free-ports.ts';
import { startProduct } from '../test/house/product.ts';
import { RedisServer } from '../test/house/redis.ts';
import { adminOf } from './admin.ts';
import { runJson, startChild } from './child.ts';
import { compare, interleave, type Row } from './measure.ts';
import type { SubscribersOrder, SubscribersReport } from './processes/subscribers.ts';
import { show } from './show.ts';
import { openGround } from './stage.ts';

const SUBSCRIBERS = 500;
/** A key may have a hundred sockets. */
const KEYS = 6;
const CHANNEL = 'ocr-router:news';
const PAUSE_MS = 50;
const MILLISECONDS = { unit: 'ms', better: 'less' } as const;

/**
 * From the moment at which an event leaves for Redis to its arrival at each of 500 subscribers of one process. The whole
 * product, with its checks, against graphql-ws with a bare schema on the same channel.
 */
export async function benchLive({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const { databaseUrl } = stack.use(await openGround());
  const redis = stack.use(await RedisServer.start());
  const product = stack.use(await startProduct({ databaseUrl, role: 'api', env: { REDIS_URL: redis.url } }));
  const [anchorPort = 0] = await freePorts(1);
  stack.use(await startChild('bench/anchors/bare-subscriptions.ts', String(anchorPort), redis.url, CHANNEL));

  const events = Math.max(20, Math.round((1000 * seconds) / PAUSE_MS));
  const common = { subscribers: SUBSCRIBERS, redisPort: Number(new URL(redis.url).port), channel: CHANNEL };
  const measure = (port: number, keys: readonly string[], count = events) =>
    subscribe({ ...common, port, keys, events: count, pauseMs: PAUSE_MS });
  const ours = { port: Number(new URL(product.url).port), keys: await operatorKeys(databaseUrl) };
  await measure(ours.port, ours.keys, 40); // both are compiled then, as they are in service
  await measure(anchorPort, [], 40);

  const pairs = await interleave(
    rounds,
    () => measure(ours.port, ours.keys),
    () => measure(anchorPort, []),
  );
  const rows = [
    compare({ what: 'event to client, p50', ...MILLISECONDS, bar: 0.8 }, pairs, (report) => report.p50Ms),
    compare({ what: 'event to client, p99', ...MILLISECONDS, bar: null }, pairs, (report) => report.p99Ms),
    compare({ what: 'event to the last client, p50', ...MILLISECONDS, bar: null }, pairs, (report) => report.lastP50Ms),
  ];
  show(`${SUBSCRIBERS} subscribers of the job feed on one process; anchor: graphql-ws with a bare schema`, rows);
  const busiest = Math.max(...pairs.flatMap((pair) => [pair.ours.cpuShare, pair.anchor.cpuShare]));
  console.log(
    `  None of ${events * SUBSCRIBERS} a round was lost. The clients took at most ${(busiest * 100).toFixed(0)} % of a core.`,
  );
  return rows;
}

async function subscribe(order: SubscribersOrder): Promise<SubscribersReport> {
  const report = await runJson<SubscribersReport>(['bench/processes/subscribers.ts', JSON.stringify(order)]);
  if (report.received !== report.expected) throw new Error(`${report.received} of ${report.expected} events arrived`);
  return report;
}

/** Of one account, without a rate limit. */
async function operatorKeys(databaseUrl: string): Promise<string[]> {
  const admin = adminOf(databaseUrl);
  const { account_id = '' } = await admin('account', 'create', '--email', 'live@localhost', '--tier', 'unlimited');
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n++) {
    const { api_key = '' } = await admin('key', 'create', '--account', account_id, '--scopes', 'operator');
    keys.push(api_key);
  }
  return keys;
}
