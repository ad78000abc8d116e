import { type Pool, query } from '../database/pool.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import { subjectOf } from '../database/secrets/stored-secrets.ts';
import { Delivery } from './delivery.ts';
import type { Exchange } from './exchange.ts';
import type { Busy } from './places.ts';
import type { Registration } from './route-delivery.ts';
import { type StoredFormer, signingSecrets } from './signing/former-secrets.ts';
import { CLOSE, HAND_BACK, KEEP_BODY } from './sql/attempt-sql.ts';
import { CLAIM } from './sql/claim-sql.ts';

/** Limits of one claim: how many deliveries may be under way, and how often one is tried. */
export interface ClaimLimits {
  readonly perReceiver: number;
  readonly perAccount: number;
  /** Most deliveries of one account to one receiver. */
  readonly perLine: number;
  /** How often a delivery is tried, with attempts whose outcome is unknown. */
  readonly attempts: number;
  /** How many processes in a row may end during a claim of the delivery without having sent anything. */
  readonly unsent: number;
}

/** A delivery under a lease of this process, with what `routeDelivery` needs. The secrets are decrypted. */
export interface Claimed {
  readonly delivery: Delivery;
  readonly registrations: readonly Registration[];
  readonly accountSecret: string;
}

/** A registration as the claim's statement gives it, in JSON. */
type StoredRegistration = Omit<Registration, 'formerSecrets'> & { readonly former: StoredFormer };

/** The outcome of an attempt. `retried`: it failed, and another one will follow. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'skipped' | 'retried';

interface Closing {
  readonly webhookId: string | null;
  readonly startedAt: Date;
  readonly retryAfterMs: number | null;
  /** The headers that were sent; null where nothing was sent. */
  readonly headers?: Readonly<Record<string, string>> | null;
}

/**
 * The deliveries in the database: claims them under leases with an end and a fencing number, and writes down how attempts ended.
 */
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

  /** Claims up to `most` due deliveries. `busy` counts those that are under way in this process: they use up the limits, too. */
  async claim(most: number, within: ClaimLimits, busy: Busy): Promise<Claimed[]> {
    const { perReceiver, perAccount, perLine, attempts, unsent } = within;
    type Row = Partial<Delivery> & { accountSecret: string; registrations: StoredRegistration[] };
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
        // A secret that cannot be decrypted stops only the deliveries of its account.
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

  #opened({ id, secret, former, ...registration }: StoredRegistration): Registration {
    const subject = subjectOf('webhook', id);
    const formerSecrets = signingSecrets(this.#secrets, subject, former);
    return { ...registration, id, secret: this.#secrets.open(subject, secret), formerSecrets };
  }

  /**
   * Stores the body, which every attempt sends, and renews the lease for the time of sending. `discarded`: the request was
   * deleted, so nothing was stored; `lost`: another process has the lease.
   */
  async keepBody({ id, fence }: Delivery, body: string): Promise<'kept' | 'discarded' | 'lost'> {
    const [row] = await query<{ isKept: boolean }>(this.#pool, KEEP_BODY, [id, fence, body, this.#lease]);
    if (!row) return 'lost';
    return row.isKept ? 'kept' : 'discarded';
  }

  /** Writes down how an attempt ended. `retryAfterMs` null: no retry follows. */
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

  /** Ends a delivery that is not sent, with the reason. */
  async skip({ id, fence }: Delivery, webhookId: string, reason: string): Promise<void> {
    const outcome = [null, null, reason, '0', new Date(), null];
    const closed = await query(this.#pool, CLOSE, [id, fence, 'skipped', 0, webhookId, ...outcome]);
    if (closed.length > 0) this.#onOutcome('skipped');
  }

  /** Gives the lease back. The delivery is due at once, and no attempt is counted. */
  async handBack({ id, fence }: Delivery): Promise<void> {
    await query(this.#pool, HAND_BACK, [id, fence, false]);
  }

  /** Gives the lease back and puts the delivery off by a second to a minute, because its body could not be rendered. */
  async putOff({ id, fence }: Delivery): Promise<void> {
    await query(this.#pool, HAND_BACK, [id, fence, true]);
  }
}
