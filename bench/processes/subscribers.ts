import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Many subscribers of one server, and events that are told over Redis, stamped as they leave. Argument: a JSON
 * SubscribersOrder. Prints a JSON SubscribersReport.
 */
export interface SubscribersOrder {
  readonly port: number;
  /** Keys that the subscribers share; none where nobody asks. */
  readonly keys: readonly string[];
  readonly subscribers: number;
  readonly redisPort: number;
  readonly channel: string;
  readonly events: number;
  readonly pauseMs: number;
}

export interface SubscribersReport {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** When the last subscriber has an event, the median of the events. */
  readonly lastP50Ms: number;
  readonly expected: number;
  readonly received: number;
  /** Of one processor core: near 1 the subscribers themselves are what limits. */
  readonly cpuShare: number;
}

const QUERY = 'subscription { jobFeed { requestId accountId engine mode status outcome cursor } }';
const SETTLE_MS = 500;
const PATIENCE_MS = 10_000;

const order = JSON.parse(process.argv[2] ?? '{}') as SubscribersOrder; // written by the bench
const sentAt: number[] = [];
const latenciesMs: number[] = [];
const lastMs: number[] = [];

const sockets = await Promise.all(Array.from({ length: order.subscribers }, (_, n) => subscriber(n)));
await sleep(SETTLE_MS); // the subscriptions have no acknowledgement of their own
const cpuBefore = process.cpuUsage();
const begun = performance.now();
const redis = connect(order.redisPort, '127.0.0.1');
redis.setNoDelay(true);
for (let n = 0; n < order.events; n++) {
  tell(n);
  await sleep(order.pauseMs);
}
const expected = order.events * order.subscribers;
const deadline = performance.now() + PATIENCE_MS;
while (latenciesMs.length < expected && performance.now() < deadline) await sleep(20);
console.log(JSON.stringify(report()));
for (const socket of sockets) socket.close();
redis.destroy();
process.exit(0);

function subscriber(n: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${order.port}/graphql`, 'graphql-transport-ws');
  const key = order.keys[n % order.keys.length];
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error(`subscriber ${n} was not let in`));
    socket.onclose = ({ code }) => reject(new Error(`subscriber ${n} was closed with ${code}`));
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: key ? { authorization: `Bearer ${key}` } : {} }));
    socket.onmessage = ({ data }) => {
      const message = String(data);
      if (message.includes('"connection_ack"')) {
        socket.send(JSON.stringify({ type: 'subscribe', id: 's', payload: { query: QUERY } }));
        resolve(socket);
      } else take(message);
    };
  });
}

/** The time is taken before the message is looked into. */
function take(message: string): void {
  const now = performance.now();
  const event = Number(/"requestId":"bench-(\d+)"/.exec(message)?.[1] ?? Number.NaN);
  const at = sentAt[event];
  if (at === undefined) throw new Error(`not an event of ours: ${message.slice(0, 300)}`);
  latenciesMs.push(now - at);
  lastMs[event] = now - at;
}

function tell(n: number): void {
  const facts = { accountId: 'bench', engine: 'instant', mode: 'async', status: 'succeeded', outcome: 'succeeded' };
  const text = `bench ${JSON.stringify({ requestId: `bench-${n}`, ...facts, cursor: '2026-11-21T12:00:00.000Z' })}`;
  sentAt[n] = performance.now();
  const parts = ['PUBLISH', order.channel, text].map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
  redis.write(`*3\r\n${parts.join('')}`);
}

function report(): SubscribersReport {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const share = (of: readonly number[], part: number) => of[Math.floor(of.length * part)] ?? Number.NaN;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    p50Ms: share(sorted, 0.5),
    p99Ms: share(sorted, 0.99),
    lastP50Ms: share(
      lastMs.toSorted((a, b) => a - b),
      0.5,
    ),
    expected,
    received: latenciesMs.length,
    cpuShare: (user + system) / 1000 / (performance.now() - begun),
  };
}
