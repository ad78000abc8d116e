import { setTimeout as sleep } from 'node:timers/promises';
import type { OcrAnswer } from '../house/answers.ts';
import type { Caller, Reply } from '../house/caller.ts';
import type { CancelAfter, Failure, Sent, Told } from './sent.ts';

const AGAIN_MS = 200;
/** Longer than the longest absence of the database, and what is behind it. */
const PATIENCE_MS = 240_000;

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
    const { requestId, outcome } = sent.told;
    if (requestId === null || outcome !== null) return;
    if (sent.cancelAfter) await this.#cancel(sent, requestId, sent.cancelAfter);
    await this.#poll(sent, requestId);
  }

  /** Sends until it is accepted or refused. */
  async #untilTold(sent: Sent): Promise<Told> {
    return this.#persist(`request ${sent.key} is answered`, async () => {
      sent.posts += 1;
      const asked = { call: 'post', askedAt: Date.now() } as const;
      return toldBy(noted(sent, asked, await this.#next().ocr(sent.body, { key: sent.key })));
    });
  }

  async #poll(sent: Sent, requestId: string): Promise<void> {
    await this.#persist(`request ${requestId} ends`, async () => {
      const asked = { call: 'poll', askedAt: Date.now() } as const;
      const { status, body } = noted(sent, asked, await this.#next().get(`/v1/ocr/${requestId}`));
      if (status === 404) throw new Lost(`request ${requestId} was accepted and is gone`);
      if (status === 410 && sent.cancelAfter?.how === 'delete') sent.isDeleted = true;
      if (sent.isDeleted) return true;
      if (status >= 500 || ['queued', 'processing'].includes(body.status)) return null;
      sent.told = { requestId, outcome: body.status, costUsd: body.cost_debited };
      return true;
    });
  }

  /** Once: the outcome is polled, whether a call whose connection broke was heard or not. */
  async #cancel(sent: Sent, requestId: string, { how, pages, ms }: CancelAfter): Promise<void> {
    if (pages > 0) await this.#untilRead(sent, sent.told?.pollUrl ?? `/v1/ocr/${requestId}`, pages);
    await sleep(ms);
    const asked = { call: how, askedAt: Date.now() } as const;
    const call = (): Promise<Reply<OcrAnswer>> =>
      how === 'cancel'
        ? this.#next().call('POST', `/v1/ocr/${requestId}/cancel`)
        : this.#next().call('DELETE', `/v1/ocr/${requestId}`);
    const status = await call()
      .then((reply) => (reply.status === 204 ? 204 : noted(sent, asked, reply).status))
      .catch(() => 0);
    if (status === 404) throw new Lost(`request ${requestId} was accepted and is not there to be cancelled`);
    if (status >= 200 && status < 300) sent.cancelledAt = Date.now();
  }

  /** Until so many pages of a job are read, or it has ended. */
  #untilRead(sent: Sent, pollUrl: string, pages: number): Promise<boolean> {
    return this.#persist(`${pages} pages of ${pollUrl} are read`, async () => {
      const { status, body } = await this.#next().get<OcrAnswer & { pages_done?: number }>(pollUrl);
      if (status >= 500) return null;
      sent.pagesSeen = body.pages_done ?? 0;
      return sent.pagesSeen >= pages || !['queued', 'processing'].includes(body.status) ? true : null;
    });
  }

  /** Deletes what was read; resolves when the service says that it is gone. */
  async delete(sent: Sent): Promise<void> {
    const requestId = sent.told?.requestId;
    if (requestId == null) return;
    sent.isDeleted = await this.#persist(`request ${requestId} is deleted`, async () => {
      const asked = { call: 'delete', askedAt: Date.now() } as const;
      const reply = await this.#next().call<OcrAnswer>('DELETE', `/v1/ocr/${requestId}`);
      if (reply.status === 204) return true;
      if (noted(sent, asked, reply).status === 404) throw new Lost(`request ${requestId} was accepted and is gone`);
      return null;
    });
  }

  /** The status under which a result is answered now. */
  resultStatus(requestId: string): Promise<number> {
    return this.#persist(`request ${requestId} is answered`, async () => {
      const { status } = await this.#next().get(`/v1/ocr/${requestId}`);
      return status >= 500 ? null : status;
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
    const asked = { call: 'post', askedAt: Date.now() } as const;
    const reply = await this.#next()
      .call<{ results?: OcrAnswer[]; http_status?: number }>('POST', '/v1/ocr/batch', { body, headers })
      .catch(() => null);
    if (!reply) return;
    for (const [index, item] of items.entries()) {
      const result = reply.body.results?.[index];
      if (!result) noted(item, asked, reply);
      else if (result.status !== 'rejected')
        item.told = { requestId: result.request_id, outcome: result.status, costUsd: result.cost_debited };
      else noteFailure(item, asked, { status: statusOf(result), message: result.error?.message ?? '' });
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
        if (error instanceof Lost || error instanceof Unexpected) throw error;
        return null; // a broken connection says nothing about the request
      });
      if (value !== null) return value;
      if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
      await sleep(AGAIN_MS);
    }
  }
}

class Lost extends Error {}
class Unexpected extends Error {}

type Asked = Pick<Failure, 'call' | 'askedAt'>;

/** The reply with its true status: an answer that took long has committed itself to 202, and says in its body what it is. */
function noted<T extends { http_status?: number; error?: { message: string } }>(
  sent: Sent,
  asked: Asked,
  reply: Reply<T>,
): Reply<T> {
  const { body } = reply;
  const status = body.http_status ?? reply.status;
  if (body.error) noteFailure(sent, asked, { status, message: body.error.message });
  return { ...reply, status, body };
}

function noteFailure({ failures }: Sent, asked: Asked, { status, message }: Pick<Failure, 'status' | 'message'>): void {
  if (status >= 500) failures.push({ ...asked, status, message, answeredAt: Date.now() });
}

/** What a rejected item of a batch would be answered alone, where it tells of a failure of the service. */
function statusOf({ error }: OcrAnswer): number {
  const statuses: Record<string, number> = { internal_error: 500, provider_error: 502, engine_unavailable: 503 };
  return statuses[error?.code ?? ''] ?? 400;
}

/** Null: the same again. */
function toldBy({ status, body }: Reply<OcrAnswer>): Told | null {
  if (status === 502) return { requestId: null, outcome: 'provider_error', costUsd: 0 };
  if (status === 500 || (status === 503 && body.status !== 'timeout')) return null;
  if (status !== 200 && status !== 202 && status !== 503)
    throw new Unexpected(`HTTP ${status}: ${JSON.stringify(body)}`);
  if (body.poll_url !== undefined)
    return { requestId: body.request_id, outcome: null, costUsd: 0, pollUrl: body.poll_url };
  return { requestId: body.request_id, outcome: body.status, costUsd: body.cost_debited };
}
