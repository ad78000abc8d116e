import type { Log } from '../../platform/logging/log.ts';
import { openPool, type Pool, query } from '../pool.ts';
import { exclusively } from '../sessions/exclusively.ts';
import { keyIdOf, sealedWith } from './sealed-text.ts';
import type { Secrets } from './secrets.ts';

const BATCH = 500;
const CHECK_SUBJECT = 'secret_key';
const CHECK_TEXT = 'ocr-router';

/** A column of secrets. Its values can be decrypted for the subject `table:id` only. */
interface SecretColumn {
  readonly table: string;
  readonly id: string;
  readonly idType: 'uuid' | 'text';
  readonly column: string;
  /** SQL: the column as text (`read`), and the text `sealed` as the column's type (`write`). */
  readonly read: string;
  readonly write: string;
  /** Whether a value whose key is lost is given up: versions before do not encrypt this column anew. */
  readonly isSpare?: true;
}

const COLUMNS: readonly SecretColumn[] = [
  { table: 'account', id: 'id', idType: 'uuid', column: 'signing_secret', read: 'signing_secret', write: 'sealed' },
  { table: 'webhook', id: 'id', idType: 'text', column: 'signing_secret', read: 'signing_secret', write: 'sealed' },
  { table: 'webhook', id: 'id', idType: 'text', column: 'previous_secret', read: 'previous_secret', write: 'sealed' },
  older('webhook'),
  { table: 'alert_channel', id: 'id', idType: 'text', column: 'secret', read: 'secret', write: 'sealed' },
  {
    table: 'alert_channel',
    id: 'id',
    idType: 'text',
    column: 'previous_secret',
    read: 'previous_secret',
    write: 'sealed',
  },
  older('alert_channel'),
  {
    table: 'identity_key',
    id: 'kid',
    idType: 'text',
    column: 'private_jwk',
    // An object is a plain key; an encrypted one is a string.
    read: `case jsonb_typeof(private_jwk) when 'string' then private_jwk #>> '{}' else private_jwk::text end`,
    write: 'to_jsonb(sealed)',
  },
];

/** Secrets that were changed before the latest change, and sign for a day. */
function older(table: string): SecretColumn {
  const column = 'older_secrets';
  return { table, id: 'id', idType: 'text', column, read: column, write: 'sealed', isSpare: true };
}

/** Values below every id. */
const FIRST_ID = { uuid: '00000000-0000-0000-0000-000000000000', text: '' } as const;

/** The subject of a secret: an encrypted value can be decrypted for this row only. */
export function subjectOf(table: 'account' | 'webhook' | 'identity_key' | 'alert_channel', id: string): string {
  return `${table}:${id}`;
}

/** Reads the ids of keys that encrypt values in this database, each with a value to check the key by. */
const CHECKS = { name: 'secret-keys', text: 'select id, check_value from secret_key' };
const REMEMBER = {
  name: 'secret-key-remember',
  text: 'insert into secret_key (id, check_value) values ($1, $2) on conflict (id) do nothing',
};
const FORGET = { name: 'secret-key-forget', text: 'delete from secret_key where id <> $1' };

/** Checks the keys of this process. Throws `MissingKeyError` where secrets of the database were encrypted with another one. */
export async function requireKey(pool: Pool, secrets: Secrets): Promise<void> {
  const rows = await query<{ check_value: string }>(pool, CHECKS, []);
  for (const { check_value } of rows) secrets.open(CHECK_SUBJECT, check_value);
}

/** Prepares secrets at a start: checks the key, and encrypts what is still plain. Without a key everything stays as it is. */
export async function prepareSecrets(secrets: Secrets, databaseUrl: string, log: Log): Promise<void> {
  if (!secrets.encrypts) log.warn('SECRETS_KEY is not set: webhook secrets and signing keys are stored as they are');
  await withPool(databaseUrl, log, async (pool) => {
    await requireKey(pool, secrets);
    if (secrets.keyId === null) return;
    await exclusively(databaseUrl, 'secrets', log, async () => {
      await remember(pool, secrets);
      // A key of the environment is changed process by process: what the former key encrypted waits for `secrets rotate`.
      await reseal(pool, secrets, (keyId) => keyId === null || secrets.ownsKey);
      if (secrets.ownsKey) await query(pool, FORGET, [secrets.keyId]);
    });
  });
}

/** Encrypts all secrets with the present key, or with a new one where the key is in a file. Answers the number of rows. */
export async function rotateSecrets(databaseUrl: string, secrets: Secrets, log: Log): Promise<number> {
  return withPool(databaseUrl, log, async (pool) => {
    await requireKey(pool, secrets);
    return exclusively(databaseUrl, 'secrets', log, async () => {
      if (secrets.ownsKey) {
        // The file has only one former key: nothing may be left under an older one.
        await reseal(pool, secrets, () => true);
        secrets.turn();
      }
      await remember(pool, secrets);
      const rows = await reseal(pool, secrets, () => true);
      await query(pool, FORGET, [secrets.keyId]);
      return rows;
    });
  });
}

async function withPool<T>(databaseUrl: string, log: Log, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = openPool(databaseUrl, { max: 1, log, kind: 'admin' });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

export interface StoredSecrets {
  readonly encrypted: number;
  readonly plain: number;
  readonly unreadable: number;
}

/** The numbers of stored secrets by their state; each secret is decrypted. */
export async function inspectSecrets(pool: Pool, secrets: Secrets): Promise<StoredSecrets> {
  const count = { encrypted: 0, plain: 0, unreadable: 0 };
  for (const column of COLUMNS) {
    for await (const rows of batches(pool, column)) {
      for (const { id, value } of rows) count[stateOf(secrets, `${column.table}:${id}`, value)]++;
    }
  }
  return count;
}

function stateOf(secrets: Secrets, subject: string, value: string): keyof StoredSecrets {
  if (keyIdOf(value) === null) return 'plain';
  try {
    secrets.open(subject, value);
    return 'encrypted';
  } catch {
    return 'unreadable';
  }
}

async function remember(pool: Pool, secrets: Secrets): Promise<void> {
  await query(pool, REMEMBER, [secrets.keyId, secrets.seal(CHECK_SUBJECT, CHECK_TEXT)]);
}

/**
 * Encrypts values anew that are not under the present key and whose key is `wanted`. A row that changes meanwhile keeps its new
 * value. Answers the number of values.
 */
async function reseal(pool: Pool, secrets: Secrets, wanted: (keyId: string | null) => boolean): Promise<number> {
  const present = secrets.keyId;
  let changed = 0;
  for (const column of COLUMNS) {
    const { table, id: key, idType, column: name, read, write } = column;
    const text = `update ${table} set ${name} = ${write}
                  from unnest($1::${idType}[], $2::text[], $3::text[]) as due(due_id, value, sealed)
                  where ${key} = due_id and ${read} = value`;
    for await (const rows of batches(pool, column, present)) {
      const due = rows.filter(({ value }) => wanted(keyIdOf(value)));
      const sealed = due.map(({ id, value }) => {
        const subject = `${table}:${id}`;
        if (column.isSpare && !secrets.canOpen(value)) return null;
        return secrets.seal(subject, secrets.open(subject, value));
      });
      await pool.query(text, [due.map(({ id }) => id), due.map(({ value }) => value), sealed]);
      changed += due.length;
    }
  }
  return changed;
}

/**
 * Reads the values of a column in batches, in the order of their ids; with a key's id only those that are not encrypted with that
 * key.
 */
async function* batches(pool: Pool, of: SecretColumn, notUnder: string | null = null) {
  const { table, id, idType, column, read } = of;
  const text = `select ${id}::text as id, ${read} as value from ${table}
                where ${column} is not null and ${id} > $1::${idType} and ($2::text is null or ${read} not like $2)
                order by ${id} limit ${BATCH}`;
  const pattern = notUnder === null ? null : sealedWith(notUnder);
  for (let last: string = FIRST_ID[idType]; ; ) {
    const { rows } = await pool.query<{ id: string; value: string }>(text, [last, pattern]);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.id ?? last;
  }
}
