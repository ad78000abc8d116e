import { randomUUID } from 'node:crypto';
import { ocrBody } from '../house/ocr-body.ts';
import type { SeededRandom } from '../house/seeded-random.ts';
import { documentOf } from './document.ts';
import type { EngineName, Marker, Outcome } from './marker.ts';
import { type CancelAfter, languageOf, type Sent, type SentKind } from './sent.ts';

export const LARGE_PAGES = 21;

/** Mostly what goes well, as in life; the rest often enough to meet a kill. */
const USUAL: readonly Outcome[] = [
  ...Array(13).fill('ok'),
  'slow',
  'slow',
  'slow',
  'refusal',
  'refusal',
  'error',
  'timeout',
];

export interface ComposerOptions {
  /** Whether pages are sent at which the provider never answers. */
  readonly timeouts: boolean;
}

export interface Wish {
  readonly kind: SentKind;
  readonly engine?: EngineName;
  readonly outcome?: Outcome;
  /** The receiver's address for this document's path; null: no webhook. */
  readonly webhookAt?: ((path: string) => string) | null;
  /** Only what is asynchronous: the id of another one is not known before it has ended. */
  readonly cancelAfter?: CancelAfter | null;
}

/** Makes documents that were never sent before, each page with a number of its own. */
export class Composer {
  readonly #random: SeededRandom;
  readonly #usual: readonly Outcome[];
  #serial = 0;

  constructor(random: SeededRandom, { timeouts }: ComposerOptions = { timeouts: true }) {
    this.#random = random;
    this.#usual = USUAL.filter((outcome) => timeouts || outcome !== 'timeout');
  }

  async compose({ kind, engine, outcome, webhookAt = null, cancelAfter = null }: Wish): Promise<Sent> {
    const pages = Array.from({ length: kind === 'large' ? LARGE_PAGES : 1 }, (): Marker => {
      this.#serial += 1;
      return { serial: this.#serial, outcome: outcome ?? this.#random.pick(this.#usual) };
    });
    const by = engine ?? this.#random.pick(['flat', 'metered'] as const);
    const webhookPath = webhookAt ? `/${pages[0]?.serial}` : null;
    const isAsync = kind === 'async' || kind === 'large';
    const body = ocrBody(by, await documentOf(pages), {
      settings: { dpi: 72, language: languageOf({ pages }) },
      ...(isAsync && { mode: 'async' }),
      ...(kind === 'large' && { page_count: pages.length }),
      ...(webhookAt && { webhook_url: webhookAt(`/${pages[0]?.serial}`) }),
    });
    const key = kind === 'batch' ? null : randomUUID();
    return {
      kind,
      engine: by,
      pages,
      key,
      body,
      webhookPath,
      cancelAfter,
      posts: 0,
      told: null,
      cancelledAt: null,
      pagesSeen: 0,
      isDeleted: false,
      failures: [],
    };
  }
}
