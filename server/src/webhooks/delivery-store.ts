import { type Pool, query } from '../database/pool.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import { subjectOf } from '../database/secrets/stored-secrets.ts';
import { Delivery } from './delivery.ts';
import type { Exchange } from './exchange.ts';
import type { Busy } from './receiver-slots.ts';
import type { Registration } from './route-delivery.ts';
import { CLOSE, HAND_BACK, KEEP_BODY } from './sql/attempt-sql.ts';
import { CLAIM } from './sql/claim-sql.ts';

/** How many deliveries may be under way at once. */
export interface ClaimLimits {
  readonly perReceiver: number;
  readonly perAccount: number;
  /** Of one account to one receiver. */
  readonly perLine: number;
  /** How often a delivery is tried, including attempts whose end is not known. */
  readonly attempts: number;
  /** How many processes in a row may die of it before they send anything. */
  readonly unsent: number;
}

/** A delivery under this process's lease, with what decides how it is sent. */
export interface Claimed {
  readonly delivery: Delivery;
  readonly registrations: readonly Registration[];
  readonly accountSecret: string;
}

/** What became of an attempt: `retried` will be made once more. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'skipped' | 'retried';

interface Closing {
  readonly webhookId: string | null;
  readonly startedAt: Date;
  readonly retryAfterMs: number | null;
  /** What it was sent with; null where nothing was sent. */
  readonly headers?: Readonly<Record<string, string>> | null;
}

/** Who delivers what: leases with an end and a fencing number, and the log of what came of them. */
export class DeliveryStore {
  readonly #pool: Pool;
  readonly #secrets: Secrets;
  readonly #owner: string;
  readonly #lease: string;
  readonly #onOutcome: (outcome: DeliveryOutcome) => void;

  constructor(
    pool: Pool,
    secrets: Secrets,
    options: { owner: string; leaseMs: number; onOutcome?: (outcome: DeliveryOutcome) => void },
  ) {
    this.#onOutcome = options.onOutcome ?? (() => undefined);
    this.#pool = pool;
    this.#secrets = secrets;
    this.#owner = options.owner;
    this.#lease = `${options.leaseMs} milliseconds`;
  }

  /** Takes up to `most` deliveries that are due, within the limits, of which `busy` has taken a part. */
  async claim(most: number, within: ClaimLimits, busy: Busy): Promise<Claimed[]> {
    const { perReceiver, perAccount, perLine, attempts, unsent } = within;
    type Row = Partial<Delivery> & { accountSecret: string; registrations: Registration[] };
    const taken = [busy.receivers, busy.accounts, busy.lines].map((counts) =>
      JSON.stringify(Object.fromEntries(counts)),
    );
    const limits = [most, perReceiver, perAccount, perLine];
    const mosts = [attempts, unsent];
    const rows = await query<Row>(this.#pool, CLAIM, [this.#owner, this.#lease, ...limits, ...taken, ...mosts]);
    const claimed: Claimed[] = [];
    for (const { accountSecret, registrations, ...row } of rows) {
      const delivery = Object.assign(new Delivery(), row);
      try {
        claimed.push({
          delivery,
          registrations: registrations.map((registration) => this.#opened(registration)),
          accountSecret: this.#secrets.open(subjectOf('account', delivery.accountId), accountSecret),
        });
      } catch {
        // A secret that does not open is one account's trouble: the others' deliveries go out.
        await this.#giveUp(delivery);
      }
    }
    return claimed;
  }

  #giveUp(delivery: Delivery): Promise<void> {
    const error = 'The signing secret cannot be opened; nothing was sent.';
    const outcome = { delivered: false, responseCode: null, latencyMs: null, error };
    return this.close(delivery, outcome, {
      webhookId: delivery.webhookId,
      startedAt: new Date(),
      retryAfterMs: null,
      headers: null,
    });
  }

  #opened(registration: Registration): Registration {
    const open = (stored: string) => this.#secrets.open(subjectOf('webhook', registration.id), stored);
    const { secret, previousSecret } = registration;
    return {
      ...registration,
      secret: open(secret),
      previousSecret: previousSecret === null ? null : open(previousSecret),
    };
  }

  /**
   * Keeps the bytes that every attempt sends, and gives the sending the time of a lease: not those of a deleted request, nor under
   * a lease that has gone elsewhere.
   */
  async keepBody({ id, fence }: Delivery, body: string): Promise<'kept' | 'discarded' | 'lost'> {
    const [row] = await query<{ isKept: boolean }>(this.#pool, KEEP_BODY, [id, fence, body, this.#lease]);
    if (!row) return 'lost';
    return row.isKept ? 'kept' : 'discarded';
  }

  /** Writes an attempt down; `retryAfterMs` null means that it was the last one. */
  async close(
    delivery: Delivery,
    { delivered, responseCode, latencyMs, error }: Exchange,
    { webhookId, startedAt, retryAfterMs, headers = null }: Closing,
  ): Promise<void> {
    const status = delivered ? 'delivered' : retryAfterMs === null ? 'failed' : 'pending';
    const { id, fence } = delivery;
    const retry = `${retryAfterMs ?? 0} milliseconds`;
    const outcome = [
      responseCode,
      latencyMs,
      error,
      retry,
      startedAt,
      headers === null ? null : JSON.stringify(headers),
    ];
    const closed = await query(this.#pool, CLOSE, [id, fence, status, 1, webhookId, ...outcome]);
    if (closed.length > 0) this.#onOutcome(status === 'pending' ? 'retried' : status);
  }

  /** Writes down that nothing is sent, and why. */
  async skip({ id, fence }: Delivery, webhookId: string, reason: string): Promise<void> {
    const outcome = [null, null, reason, '0', new Date(), null];
    const closed = await query(this.#pool, CLOSE, [id, fence, 'skipped', 0, webhookId, ...outcome]);
    if (closed.length > 0) this.#onOutcome('skipped');
  }

  /** Lets the next process make the attempt. */
  async handBack({ id, fence }: Delivery): Promise<void> {
    await query(this.#pool, HAND_BACK, [id, fence, false]);
  }

  /** Leaves the attempt for a moment in which its body can be made. */
  async putOff({ id, fence }: Delivery): Promise<void> {
    await query(this.#pool, HAND_BACK, [id, fence, true]);
  }
}
