import type { SeededRandom } from '../house/seeded-random.ts';
import type { WebhookReceiver } from '../house/webhook-receiver.ts';
import type { Client } from './client.ts';
import { Composer, type ComposerOptions, LARGE_PAGES } from './compose.ts';
import type { CancelAfter, Sent, SentKind } from './sent.ts';

const CLIENTS = 6;
const BATCH_ITEMS = 4;
const MIX = [...Array(9).fill('sync'), ...Array(8).fill('async'), 'batch', 'batch', 'large'] as const;
/** One of so many is cancelled, at the latest so much later; one of so many is deleted. */
const CANCELLED_OF = { async: 3, large: 2 } as const;
const LATEST_CANCEL_MS = 800;
const HOW = ['cancel', 'cancel', 'cancel', 'delete'] as const;
const DELETED_OF = 5;

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
    while (!this.#stopped) await this.#one().catch((error) => this.broken.push(String(error)));
  }

  async #one(): Promise<void> {
    const { client, receiver, random } = this.#deps;
    const kind = random.pick(MIX);
    if (kind === 'batch') {
      const items = await Promise.all(Array.from({ length: BATCH_ITEMS }, () => this.#composer.compose({ kind })));
      this.sent.push(...items);
      await client.batch(items);
      for (const item of items) await this.#perhapsDelete(item);
      return;
    }
    const announced = kind !== 'sync' && random.below(2) === 0;
    const webhookAt = announced ? (path: string) => receiver.at(path) : null;
    const sent = await this.#composer.compose({ kind, webhookAt, cancelAfter: this.#cancelAfter(kind) });
    this.sent.push(sent);
    await client.see(sent);
    await this.#perhapsDelete(sent);
  }

  /** Mostly soon: most requests end soon. */
  #cancelAfter(kind: SentKind): CancelAfter | null {
    const { random } = this.#deps;
    if (kind !== 'async' && kind !== 'large') return null;
    if (random.below(CANCELLED_OF[kind]) > 0) return null;
    const pages = kind === 'large' ? random.below(LARGE_PAGES) : 0;
    return { how: random.pick(HOW), pages, ms: random.below(1 + random.below(LATEST_CANCEL_MS)) };
  }

  async #perhapsDelete(sent: Sent): Promise<void> {
    const { client, random } = this.#deps;
    if (!sent.isDeleted && random.below(DELETED_OF) === 0) await client.delete(sent);
  }
}
