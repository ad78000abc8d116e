import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Log } from '../logging/log.ts';
import type { Broadcast } from './broadcast.ts';
import { endSilence } from './end-silence.ts';

const CHANNEL = 'ocr-router:news';
const RETRY_MS = 1000;

/** Messages between processes over Redis. What is sent while Redis does not answer is dropped. */
export class RedisBroadcast implements Broadcast {
  readonly reachesOthers = true;
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  /** Redis hands a process its own messages, too. */
  readonly #self = randomUUID();

  constructor(url: string, log: Log, { silenceMs }: { readonly silenceMs?: number } = {}) {
    const options = {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: 200,
      retryStrategy: (times: number) => Math.min(times * 100, RETRY_MS),
    };
    this.#publisher = new Redis(url, options);
    // It subscribes before it is connected, and anew whenever the connection comes back.
    this.#subscriber = new Redis(url, {
      ...options,
      enableOfflineQueue: true,
      enableReadyCheck: false, // it would be refused on a connection that has subscribed
      commandTimeout: undefined,
    });
    for (const client of [this.#publisher, this.#subscriber]) {
      client.on('error', (error: Error) => log.debug({ err: error.message }, 'Redis does not answer'));
      endSilence(client, silenceMs);
    }
  }

  send(message: object): void {
    if (this.#publisher.status !== 'ready') return;
    void this.#publisher.publish(CHANNEL, `${this.#self} ${JSON.stringify(message)}`).catch(() => undefined); // a hint, see Broadcast
  }

  onMessage(listener: (message: unknown) => void): void {
    void this.#subscriber.subscribe(CHANNEL).catch(() => undefined);
    this.#subscriber.on('message', (_channel, text: string) => {
      const space = text.indexOf(' ');
      if (text.slice(0, space) === this.#self) return;
      const message = parsed(text.slice(space + 1));
      if (message !== undefined) listener(message);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }
}

/** Undefined for what is no JSON: who else writes to the channel is not known. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
