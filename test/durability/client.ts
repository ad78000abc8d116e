import { setTimeout as sleep } from 'node:timers/promises';
import type { OcrAnswer } from '../house/answers.ts';
import type { Caller, Reply } from '../house/caller.ts';
import type { Sent, Told } from './sent.ts';

const AGAIN_MS = 200;
const PATIENCE_MS = 120_000;

/** A caller that does what the contract says: after a broken connection the same again, under the same key. */
export class Client {
  readonly #callers: readonly Caller[];
  #turn = 0;

  constructor(callers: readonly Caller[]) {
    this.#callers = callers;
  }

  /** Sends until there is an outcome: for `async` the outcome is polled. */
  async see(sent: Sent): Promise<void> {
    sent.told = await this.#untilTold(sent);
    if (sent.told.requestId !== null && sent.told.outcome === null) await this.#poll(sent, sent.told.requestId);
  }

  /** Sends until it is accepted or refused. */
  async #untilTold(sent: Sent): Promise<Told> {
    return this.#persist(`request ${sent.key} is answered`, async () => {
      sent.posts += 1;
      return toldBy(await this.#next().ocr(sent.body, { key: sent.key }));
    });
  }

  async #poll(sent: Sent, requestId: string): Promise<void> {
    await this.#persist(`request ${requestId} ends`, async () => {
      const { status, body } = await this.#next().get(`/v1/ocr/${requestId}`);
      if (status === 404) throw new Lost(`request ${requestId} was accepted and is gone`);
      if (status >= 500 || ['queued', 'processing'].includes(body.status)) return null;
      sent.told = { requestId, outcome: body.status, costUsd: body.cost_debited };
      return true;
    });
  }

  /** The same key once more; the answer as it comes. */
  replay(sent: Sent): Promise<Reply<OcrAnswer>> {
    return this.#persist(`request ${sent.key} is replayed`, async () => {
      const reply = await this.#next().ocr(sent.body, { key: sent.key });
      return reply.status === 500 || reply.status === 502 ? null : reply;
    });
  }

  /** Documents that go out once, whatever happens: a batch has no key. */
  async batch(items: readonly Sent[]): Promise<void> {
    for (const item of items) item.posts += 1;
    const body = JSON.stringify({ items: items.map((item) => item.body) });
    const headers = { 'content-type': 'application/json' };
    const reply = await this.#next()
      .call<{ results?: OcrAnswer[] }>('POST', '/v1/ocr/batch', { body, headers })
      .catch(() => null);
    if (reply?.status !== 200) return;
    for (const [index, result] of (reply.body.results ?? []).entries()) {
      const item = items[index];
      if (!item || result.status === 'rejected') continue;
      item.told = { requestId: result.request_id, outcome: result.status, costUsd: result.cost_debited };
    }
  }

  #next(): Caller {
    this.#turn += 1;
    return this.#callers[this.#turn % this.#callers.length] as Caller; // a site has an address
  }

  async #persist<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const value = await attempt().catch((error) => {
        if (error instanceof Lost) throw error;
        return null; // a broken connection says nothing about the request
      });
      if (value !== null) return value;
      if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
      await sleep(AGAIN_MS);
    }
  }
}

class Lost extends Error {}

/** Null: the same again. */
function toldBy({ status, body }: Reply<OcrAnswer>): Told | null {
  if (status === 502) return { requestId: null, outcome: 'provider_error', costUsd: 0 };
  if (status === 500 || (status === 503 && body.status !== 'timeout')) return null;
  if (status !== 200 && status !== 202 && status !== 503) throw new Error(`HTTP ${status}: ${JSON.stringify(body)}`);
  if (body.poll_url !== undefined) return { requestId: body.request_id, outcome: null, costUsd: 0 };
  return { requestId: body.request_id, outcome: body.status, costUsd: body.cost_debited };
}
