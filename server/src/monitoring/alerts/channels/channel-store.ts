import { newSigningSecret } from '../../../accounts/model/signing-secret.ts';
import { type Pool, query, transaction } from '../../../database/pool.ts';
import type { Secrets } from '../../../database/secrets/secrets.ts';
import { subjectOf } from '../../../database/secrets/stored-secrets.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { type Former, olderAfterChange, SIGNS_ON_HOURS } from '../../../webhooks/signing/former-secrets.ts';
import type { AlertKind } from '../kinds/alert-kind.ts';
import type { AlertChannel, AlertChannelKind } from './alert-channel.ts';
import { labelOf, type TargetOptions, targetOf } from './channel-target.ts';

const MOST_CHANNELS = 20;

const COLUMNS = `
  c.id, c.kind, c.label, c.target, c.kinds, c.is_active as "isActive", c.created_at as "createdAt", null as secret,
  case when c.previous_secret_until > now() then c.previous_secret_until end as "previousSecretUntil"`;

const STATES = `
  (select count(*)::int from alert_delivery d where d.channel_id = c.id and d.status = 'pending') as waiting,
  last.finished_at as "lastEndedAt", last.status as "lastStatus", tried.error as "lastError"`;

const LATEST = `
  left join lateral (
    select finished_at, status from alert_delivery d where d.channel_id = c.id and d.finished_at is not null
    order by d.finished_at desc limit 1) last on true
  left join lateral (
    select error from alert_delivery d where d.channel_id = c.id and d.attempt > 0
    order by d.tried_at desc nulls last limit 1) tried on true`;

const LIST = {
  name: 'alert-channels',
  text: `select ${COLUMNS}, ${STATES} from alert_channel c ${LATEST} order by c.created_at, c.id`,
};

const FIND = {
  name: 'alert-channel-find',
  text: `select ${COLUMNS}, ${STATES} from alert_channel c ${LATEST} where c.id = $1`,
};

const INSERT = {
  name: 'alert-channel-insert',
  text: `insert into alert_channel (id, kind, label, target, secret, kinds, is_active)
         select $1, $2, $3, $4, $5, $6::text[], true where (select count(*) from alert_channel) < ${MOST_CHANNELS} returning id`,
};

const UPDATE = {
  name: 'alert-channel-update',
  text: `
         with stopped as (
           update alert_delivery set status = 'failed', finished_at = now(), error = 'The channel was switched off.'
           where channel_id = $1 and $5::boolean is false and status = 'pending' and event = 'alert'
         )
         update alert_channel set label = coalesce($2, label), target = coalesce($3, target),
           secret = coalesce($4, secret), is_active = coalesce($5, is_active),
           kinds = case when $6::text[] is null then kinds when cardinality($6::text[]) > 0 then $6::text[] end
         where id = $1 returning id`,
};

const FORMER = {
  name: 'alert-channel-former-secrets',
  text: `select previous_secret as previous, previous_secret_until as "previousUntil", older_secrets as older, now() as at
         from alert_channel where id = $1 and kind = 'webhook' for update`,
};

const ROTATE = {
  name: 'alert-channel-rotate',
  text: `update alert_channel set previous_secret = secret, previous_secret_until = now() + interval '${SIGNS_ON_HOURS} hours',
           secret = $2, older_secrets = $3
         where id = $1 returning id`,
};

const REMOVE = { name: 'alert-channel-remove', text: 'delete from alert_channel where id = $1 returning id' };

interface NewChannel {
  readonly kind: AlertChannelKind;
  readonly label: string;
  readonly target: string;
  /** The kinds of alerts; absent or empty for all. */
  readonly kinds?: readonly AlertKind[] | null | undefined;
}

/** Fields that are absent stay as they are. */
export interface ChannelChange {
  readonly label?: string | null | undefined;
  readonly target?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
  /** The kinds of alerts; empty for all. */
  readonly kinds?: readonly AlertKind[] | null | undefined;
}

/** The channels that alerts are sent to. Their secrets are stored encrypted. */
export class ChannelStore {
  readonly #pool: Pool;
  readonly #secrets: Secrets;
  readonly #options: TargetOptions;

  constructor(pool: Pool, secrets: Secrets, options: TargetOptions) {
    this.#pool = pool;
    this.#secrets = secrets;
    this.#options = options;
  }

  list(): Promise<AlertChannel[]> {
    return query<AlertChannel>(this.#pool, LIST, []);
  }

  async find(id: string): Promise<AlertChannel> {
    const [row] = await query<AlertChannel>(this.#pool, FIND, [id]);
    return row ?? unknown();
  }

  /** Adds a channel. The answer for a webhook has its signing secret, which is shown only this once. */
  async create(given: NewChannel): Promise<AlertChannel> {
    const label = labelOf(given.label);
    const { shown, hidden } = await targetOf(given.kind, given.target, this.#options);
    const secret = given.kind === 'webhook' ? newSigningSecret() : hidden;
    const id = newId('alc_');
    const sealed = secret === null ? null : this.#seal(id, secret);
    const rows = await query(this.#pool, INSERT, [
      id,
      given.kind,
      label,
      shown,
      sealed,
      given.kinds?.length ? [...new Set(given.kinds)] : null,
    ]);
    if (rows.length === 0) {
      throw new AppError('invalid_request', `There are ${MOST_CHANNELS} alert channels. Remove one first.`);
    }
    return { ...(await this.find(id)), secret: given.kind === 'webhook' ? secret : null };
  }

  async update(id: string, { label, target, isActive, kinds }: ChannelChange): Promise<AlertChannel> {
    const { kind } = await this.find(id);
    const { shown, hidden } = target == null ? UNCHANGED : await targetOf(kind, target, this.#options);
    const sealed = hidden === null ? null : this.#seal(id, hidden);
    const values = [
      id,
      label == null ? null : labelOf(label),
      shown,
      sealed,
      isActive ?? null,
      kinds == null ? null : [...new Set(kinds)],
    ];
    const rows = await query(this.#pool, UPDATE, values);
    return rows.length === 0 ? unknown() : this.find(id);
  }

  /**
   * Makes a new secret for a webhook. The answer has it, which is shown only this once; former ones sign beside it, each for 24
   * hours.
   */
  async rotateSecret(id: string): Promise<AlertChannel> {
    const { kind } = await this.find(id);
    if (kind !== 'webhook') throw new AppError('invalid_request', 'id: only a `webhook` has a signing secret.');
    const secret = newSigningSecret();
    const rows = await transaction(this.#pool, async (client) => {
      const [former] = await query<Former & { at: Date }>(client, FORMER, [id]);
      if (!former) return [];
      const older = olderAfterChange(this.#secrets, subjectOf('alert_channel', id), former);
      return query(client, ROTATE, [id, this.#seal(id, secret), older]);
    });
    return rows.length === 0 ? unknown() : { ...(await this.find(id)), secret };
  }

  async remove(id: string): Promise<void> {
    const rows = await query(this.#pool, REMOVE, [id]);
    if (rows.length === 0) unknown();
  }

  #seal(id: string, secret: string): string {
    return this.#secrets.seal(subjectOf('alert_channel', id), secret);
  }
}

const UNCHANGED = { shown: null, hidden: null };

function unknown(): never {
  throw new AppError('not_found', 'There is no such alert channel.');
}
