import type { LookupFunction } from 'node:net';
import { checkedLabel } from '../accounts/model/label.ts';
import { newSigningSecret } from '../accounts/model/signing-secret.ts';
import { type Pool, query, transaction } from '../database/pool.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import { subjectOf } from '../database/secrets/stored-secrets.ts';
import { requirePublicUrl } from '../platform/egress/egress.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { checkEvents, checkUrlText } from './registration-rules.ts';
import { type Former, olderAfterChange, SIGNS_ON_HOURS } from './signing/former-secrets.ts';
import { Webhook } from './webhook.ts';

export interface NewWebhook {
  readonly url: string;
  readonly label?: string | null;
  readonly events?: readonly string[] | null;
}

/** Fields that are absent stay as they are. */
export interface WebhookChange extends Partial<NewWebhook> {
  readonly isActive?: boolean | null;
}

export interface RegistrationsOptions {
  readonly allowPrivateCidrs: readonly string[];
  /** Resolves names to addresses; by default as the system does. */
  readonly lookup?: LookupFunction;
}

const MOST = 10;

const COLUMNS = `
  id, account_id as "accountId", url, label, events, is_active as "isActive",
  case when previous_secret_until > now() then previous_secret_until end as "previousSecretUntil", created_at as "createdAt"`;

const LIST = {
  name: 'webhook-list',
  text: `select ${COLUMNS} from webhook where account_id = $1 order by created_at, id`,
};

const FIND = {
  name: 'webhook-find',
  text: `select ${COLUMNS} from webhook where id = $1 and account_id = $2`,
};

/** Locks the account's row, so that registrations at the same time are counted one after the other. */
const LOCK_ACCOUNT = { name: 'webhook-lock-account', text: 'select 1 from account where id = $1 for no key update' };

const INSERT = {
  name: 'webhook-insert',
  text: `insert into webhook (id, account_id, url, label, events, signing_secret)
         select $1, $2, $3, $4, $5::text[], $6 where (select count(*) from webhook where account_id = $2) < ${MOST}
         returning ${COLUMNS}`,
};

const UPDATE = {
  name: 'webhook-update',
  text: `update webhook set url = coalesce($3, url), label = coalesce($4, label), events = coalesce($5::text[], events),
           is_active = coalesce($6, is_active)
         where id = $1 and account_id = $2 returning ${COLUMNS}`,
};

const FORMER = {
  name: 'webhook-former-secrets',
  text: `select previous_secret as previous, previous_secret_until as "previousUntil", older_secrets as older, now() as at
         from webhook where id = $1 and account_id = $2 for update`,
};

const ROTATE = {
  name: 'webhook-rotate',
  text: `update webhook set previous_secret = signing_secret, previous_secret_until = now() + interval '${SIGNS_ON_HOURS} hours',
           signing_secret = $3, older_secrets = $4
         where id = $1 and account_id = $2 returning ${COLUMNS}`,
};

/**
 * Deletes the registration with its log and its pings. Other deliveries that are on their way are still sent, signed with the
 * account's secret unless the URL is registered once more.
 */
const REMOVE = {
  name: 'webhook-remove',
  text: `with removed as (delete from webhook where id = $1 and account_id = $2 returning id),
         orphaned as (
           update webhook_delivery set webhook_id = null
           where webhook_id = any(array(select id from removed)) and status = 'pending' and event <> 'webhook.test'
         ),
         attempts as (delete from webhook_attempt where webhook_id = any(array(select id from removed))),
         deliveries as (
           delete from webhook_delivery
           where webhook_id = any(array(select id from removed)) and (status <> 'pending' or event = 'webhook.test')
         )
         select id from removed`,
};

/** The callback URLs of accounts. A webhook of another account is `not_found`. */
export class Registrations {
  readonly #pool: Pool;
  readonly #secrets: Secrets;
  readonly #options: RegistrationsOptions;

  constructor(pool: Pool, secrets: Secrets, options: RegistrationsOptions) {
    this.#pool = pool;
    this.#secrets = secrets;
    this.#options = options;
  }

  async list(accountId: string): Promise<Webhook[]> {
    return (await query<Partial<Webhook>>(this.#pool, LIST, [accountId])).map(toWebhook);
  }

  async find(accountId: string, id: string): Promise<Webhook> {
    const [row] = await query<Partial<Webhook>>(this.#pool, FIND, [id, accountId]);
    if (!row) throw unknown();
    return toWebhook(row);
  }

  /** Registers a URL. The answer has the secret, which is shown only this once. */
  async create(accountId: string, { url, label, events }: NewWebhook): Promise<Webhook> {
    await this.#checkUrl(url);
    const secret = newSigningSecret();
    const id = newId('wh_');
    const sealed = this.#secrets.seal(subjectOf('webhook', id), secret);
    const values = [
      id,
      accountId,
      url,
      label == null ? null : checkedLabel(label),
      checkEvents(events) ?? ['ocr.completed'],
      sealed,
    ];
    const [row] = await transaction(this.#pool, async (client) => {
      await query(client, LOCK_ACCOUNT, [accountId]);
      return query<Partial<Webhook>>(client, INSERT, values);
    });
    if (!row) throw new AppError('invalid_request', `An account can register ${MOST} webhooks. Remove one first.`);
    return Object.assign(toWebhook(row), { secret });
  }

  async update(accountId: string, id: string, { url, label, events, isActive }: WebhookChange): Promise<Webhook> {
    await this.find(accountId, id);
    if (url != null) await this.#checkUrl(url);
    const values = [url ?? null, label == null ? null : checkedLabel(label), checkEvents(events), isActive ?? null];
    const [row] = await query<Partial<Webhook>>(this.#pool, UPDATE, [id, accountId, ...values]);
    if (!row) throw unknown();
    return toWebhook(row);
  }

  /** Makes a new secret. The answer has it, which is shown only this once; former ones sign beside it, each for 24 hours. */
  async rotateSecret(accountId: string, id: string): Promise<Webhook> {
    const secret = newSigningSecret();
    const subject = subjectOf('webhook', id);
    const row = await transaction(this.#pool, async (client) => {
      const [former] = await query<Former & { at: Date }>(client, FORMER, [id, accountId]);
      if (!former) return undefined;
      const values = [this.#secrets.seal(subject, secret), olderAfterChange(this.#secrets, subject, former)];
      return (await query<Partial<Webhook>>(client, ROTATE, [id, accountId, ...values]))[0];
    });
    if (!row) throw unknown();
    return Object.assign(toWebhook(row), { secret });
  }

  async remove(accountId: string, id: string): Promise<void> {
    const removed = await query(this.#pool, REMOVE, [id, accountId]);
    if (removed.length === 0) throw unknown();
  }

  async #checkUrl(url: string): Promise<void> {
    checkUrlText(url);
    const { allowPrivateCidrs: allowCidrs, lookup } = this.#options;
    await requirePublicUrl(url, { allowCidrs, field: 'url', ...(lookup && { lookup }) });
  }
}

function unknown(): AppError {
  return new AppError('not_found', 'There is no such webhook in your account.');
}

function toWebhook(row: Partial<Webhook>): Webhook {
  return Object.assign(new Webhook(), row);
}
