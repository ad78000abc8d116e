import type { SeededRandom } from '../house/seeded-random.ts';
import type { WebhookReceiver } from '../house/webhook-receiver.ts';
import type { Client } from './client.ts';
import { Composer, type ComposerOptions } from './compose.ts';
import type { Sent } from './sent.ts';

const CLIENTS = 6;
const BATCH_ITEMS = 4;
const MIX = [...Array(9).fill('sync'), ...Array(8).fill('async'), 'batch', 'batch', 'large'] as const;

interface LoadDeps {
  readonly client: Client;
  readonly receiver: WebhookReceiver;
  readonly random: SeededRandom;
}

/** Mixed callers, each sending its next document when the last one has ended. */
export class Load {
  readonly sent: Sent[] = [];
  /** What callers met that no caller should. */
  readonly broken: string[] = [];
  readonly #deps: LoadDeps;
  readonly #composer: Composer;
  readonly #callers: Promise<void>[];
  #stopped = false;

  constructor(deps: LoadDeps, options: ComposerOptions) {
    this.#deps = deps;
    this.#composer = new Composer(deps.random, options);
    this.#callers = Array.from({ length: CLIENTS }, () => this.#goOn());
  }

  /** Begins nothing more; resolves when every caller has been told its outcome. */
  async finish(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#callers);
  }

  async #goOn(): Promise<void> {
    const { client, receiver, random } = this.#deps;
    while (!this.#stopped) {
      const kind = random.pick(MIX);
      if (kind === 'batch') {
        const items = await Promise.all(Array.from({ length: BATCH_ITEMS }, () => this.#composer.compose({ kind })));
        this.sent.push(...items);
        await client.batch(items);
        continue;
      }
      const announced = kind !== 'sync' && random.below(2) === 0;
      const sent = await this.#composer.compose({ kind, webhookAt: announced ? (path) => receiver.at(path) : null });
      this.sent.push(sent);
      await client.see(sent).catch((error) => this.broken.push(String(error)));
    }
  }
}
