import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { RecordedSpan } from './recorded-span.ts';
import { type Origin, SpanBatch } from './span-batch.ts';

/** A collector. */
export interface Destination {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly origin: Origin;
}

/** Some thousand spans. */
const BATCH_BYTES = 128 * 1024;
/** More spans are dropped, so that a collector that is away costs a bounded space. */
const MOST_BATCHES = 8;
/** From a batch's first span to its export. */
const EVERY_MS = 1000;
/** An export with its repetitions. */
const EXPORT_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const PAUSES_GROW = 1.5;
/** Answers after which the same is sent again, as OTLP has it. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends spans to a collector. Each is written down as bytes the moment it ends: what waits for its export as objects becomes
 * old to V8, and costs more than the span did.
 */
export class SpanSender {
  readonly #to: Destination;
  /** By HTTP/1.1, where an export that was given up ends its connection: the next one has another. */
  readonly #http = new Agent({ connections: 1, allowH2: false });
  readonly #stop = new AbortController();
  readonly #spare: Buffer[] = [];
  readonly #waiting: SpanBatch[] = [];
  #filling: SpanBatch | null = null;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | null = null;

  constructor(to: Destination) {
    this.#to = to;
  }

  /** Takes a span that ends now. */
  add(span: RecordedSpan): void {
    if (this.#filling?.add(span)) return;
    this.#endBatch();
    if (this.#waiting.length >= MOST_BATCHES) return;
    this.#filling = new SpanBatch(this.#spare.pop() ?? Buffer.allocUnsafeSlow(BATCH_BYTES), this.#to.origin);
    this.#filling.add(span);
    this.#timer = setTimeout(() => this.#endBatch(), EVERY_MS).unref();
  }

  /** Sends what is left, for as long as `limitMs` at most. */
  async close(limitMs: number): Promise<void> {
    this.#endBatch();
    await Promise.race([this.#sending, sleep(limitMs, undefined, { ref: false })]);
    this.#stop.abort();
    await this.#http.destroy(); // also a connection that is still being made: undici looks at no signal before it is there
  }

  #endBatch(): void {
    clearTimeout(this.#timer);
    if (!this.#filling) return;
    this.#waiting.push(this.#filling);
    this.#filling = null;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
  }

  async #send(): Promise<void> {
    for (let batch = this.#waiting[0]; batch; batch = this.#waiting[0]) {
      const wasTaken = await this.#export(batch.body());
      // A socket may still read those of an export that was broken off.
      if (wasTaken) this.#spare.push(batch.bytes);
      this.#waiting.shift();
    }
  }

  /** Whether the collector has answered for good; what it does not take is given up. */
  async #export(body: Buffer): Promise<boolean> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(EXPORT_MS)]);
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs *= PAUSES_GROW) {
      const status = await this.#post(body, signal).catch(() => null);
      if (status !== null && !BUSY.has(status)) return true;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return false;
  }

  async #post(body: Buffer, signal: AbortSignal): Promise<number> {
    const { url } = this.#to;
    const headers = { ...this.#to.headers, 'content-type': 'application/x-protobuf' };
    const answer = await request(url, { dispatcher: this.#http, method: 'POST', headers, body, signal });
    await answer.body.dump();
    return answer.statusCode;
  }
}
