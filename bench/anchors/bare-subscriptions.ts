import { createServer } from 'node:http';
import { buildSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { Redis } from 'ioredis';
import { WebSocketServer } from 'ws';

/**
 * graphql-ws as its documentation shows it, with a bare schema: every event of the channel goes to every subscriber.
 * Arguments: port, Redis URL, channel.
 */
const [port, redisUrl = '', channel = ''] = process.argv.slice(2);

const schema = buildSchema(`
  type Query { ok: Boolean }
  type Event { requestId: ID! accountId: ID! engine: String! mode: String! status: String! outcome: String! cursor: String! }
  type Subscription { jobFeed: Event! }
`);

class Listener implements AsyncIterableIterator<unknown> {
  readonly #waiting: unknown[] = [];
  #reader: ((result: IteratorResult<unknown>) => void) | null = null;

  push(value: unknown): void {
    if (!this.#reader) return void this.#waiting.push(value);
    this.#reader({ value, done: false });
    this.#reader = null;
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#waiting.length > 0) return Promise.resolve({ value: this.#waiting.shift(), done: false });
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  async return(): Promise<IteratorResult<unknown>> {
    listeners.delete(this);
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const listeners = new Set<Listener>();
const roots = {
  subscription: {
    jobFeed: () => {
      const listener = new Listener();
      listeners.add(listener);
      return listener;
    },
  },
};
const redis = new Redis(redisUrl);
await redis.subscribe(channel);
redis.on('message', (_channel: string, text: string) => {
  const event = { jobFeed: JSON.parse(text.slice(text.indexOf(' ') + 1)) };
  for (const listener of listeners) listener.push(event);
});

const server = createServer();
useServer({ schema, roots }, new WebSocketServer({ server, path: '/graphql' }));
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
