import { randomUUID } from 'node:crypto';
import { type Admin, openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { idAt } from '../../../test/house/month-parts.ts';
import { until } from '../../../test/house/until.ts';
import { RateLimiter } from '../../src/accounts/callers/rate-limit.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { PLAIN_SECRETS } from '../../src/database/secrets/secrets.ts';
import { guardedAgent } from '../../src/platform/egress/egress.ts';
import { newId } from '../../src/platform/ids.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { type Announcement, DeliverJob, type DeliverTiming } from '../../src/webhooks/deliver.job.ts';
import { DeliveryLog } from '../../src/webhooks/delivery-log.ts';
import { DeliveryStore } from '../../src/webhooks/delivery-store.ts';
import { Registrations } from '../../src/webhooks/registrations.ts';
import { ANNOUNCE } from '../../src/webhooks/sql/announce-sql.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const LEASE_MS = 30_000;
/** Short, so that no test waits long for a receiver that never answers, and longer than a busy machine lets one wait that does. */
const TIMING = { timeoutMs: 1500, retryAfterMs: [20, 40, 60], sweepMs: 50, graceMs: 50 };

export interface JobWish extends Partial<DeliverTiming> {
  readonly allowCidrs?: readonly string[];
  readonly render?: (announcement: Announcement) => Promise<string>;
}

export interface LogLine {
  readonly attempt: number;
  readonly status: string;
  readonly responseCode: number | null;
  readonly error: string | null;
}

/** The delivery of webhooks without the rest of the product: a database, and jobs that work on it. */
export class PostOffice implements AsyncDisposable {
  readonly pool: Pool;
  readonly admin: Admin;
  readonly databaseUrl: string;
  readonly registrations: Registrations;
  readonly log: DeliveryLog;
  readonly limiter: RateLimiter;
  readonly #jobs: DeliverJob[] = [];
  readonly #opened = new Date();
  #announced = 0;
  readonly #close: (() => Promise<unknown>)[] = [];

  private constructor(databaseUrl: string, pool: Pool, admin: Admin) {
    this.databaseUrl = databaseUrl;
    this.pool = pool;
    this.admin = admin;
    this.registrations = new Registrations(pool, PLAIN_SECRETS, { allowPrivateCidrs: LOOPBACK });
    this.log = new DeliveryLog(pool, () => this.wake());
    this.limiter = new RateLimiter(pool);
  }

  static async open(): Promise<PostOffice> {
    const url = await createDatabase();
    return new PostOffice(url, openPool(url, { max: 8, log: makeLog('silent') }), await openHouseAdmin(url));
  }

  /** A job at work; several are several processes. */
  startJob({ allowCidrs = LOOPBACK, render, ...timing }: JobWish = {}): DeliverJob {
    const agent = guardedAgent({ allowCidrs });
    const job = new DeliverJob({
      store: this.store(LEASE_MS),
      agent,
      render: render ?? (async ({ requestId }) => JSON.stringify({ request_id: requestId, random: Math.random() })),
      timing: { ...TIMING, ...timing },
      log: makeLog('silent'),
    });
    this.#jobs.push(job);
    this.#close.push(() => agent.destroy());
    job.start();
    return job;
  }

  store(leaseMs: number): DeliveryStore {
    return new DeliveryStore(this.pool, PLAIN_SECRETS, { owner: newId('att_'), leaseMs });
  }

  async account(): Promise<{ accountId: string; secret: string }> {
    const { account_id: accountId } = await this.admin.createAccount({ email: `${randomUUID()}@example.com` });
    return { accountId, secret: (await this.admin.showAccount(accountId)).signing_secret };
  }

  /** What the end of an async request writes; answers the delivery's id, which is above those before it. */
  async announce(accountId: string, url: string | null, outcome = 'succeeded'): Promise<string> {
    const requestId = idAt(this.#opened, ++this.#announced); // newId gives no order within a millisecond
    await this.pool.query(
      `with done as (select $1::text as id, $2::uuid as account_id, $3::text as outcome, 'reader' as engine,
         4000000::bigint as charge, $4::text as webhook_url, null::text as trace), ${ANNOUNCE} select count(*) from announced`,
      [requestId, accountId, outcome, url],
    );
    this.wake();
    return requestId.replace('ocr_', 'whd_');
  }

  wake(): void {
    for (const job of this.#jobs) job.wake();
  }

  /** Waits until a delivery has ended, and answers its log, oldest first. */
  async ended(deliveryId: string): Promise<LogLine[]> {
    await until(`${deliveryId} has ended`, async () => (await this.state(deliveryId)).status !== 'pending');
    return this.attempts(deliveryId);
  }

  async attempts(deliveryId: string): Promise<LogLine[]> {
    const { rows } = await this.pool.query<LogLine>(
      `select attempt, status, response_code as "responseCode", error from webhook_attempt
       where delivery_id = $1 order by id`,
      [deliveryId],
    );
    return rows;
  }

  async state(deliveryId: string): Promise<{ status: string; body: string | null; attempt: number }> {
    const { rows } = await this.pool.query('select status, body, attempt from webhook_delivery where id = $1', [
      deliveryId,
    ]);
    return rows[0];
  }

  /** Who has it, and in how many milliseconds it is due: for others, where somebody has it. */
  async lease(deliveryId: string): Promise<{ owner: string | null; dueInMs: number }> {
    const { rows } = await this.pool.query(
      `select lease_owner as owner, (extract(epoch from next_attempt_at - now()) * 1000)::float8 as "dueInMs"
       from webhook_delivery where id = $1`,
      [deliveryId],
    );
    return rows[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const job of this.#jobs) await job[Symbol.asyncDispose]();
    for (const close of this.#close) await close();
    await this.pool.end();
    await this.admin[Symbol.asyncDispose]();
  }
}
