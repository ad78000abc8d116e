import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { ACCOUNTS, type DemoAccount, ENGINES } from './cast.ts';
import { Dice } from './dice.ts';
import { idAt } from './id-at.ts';
import { query } from './statement.ts';

/** Made before anything else of the demo, so that ids of keys and hooks never change. */
const CAST_TIME = Date.UTC(2026, 0, 1);

const ENGINE = {
  name: 'demo-engine',
  text: `insert into announced_engine (id, entry) values ($1, $2::jsonb) on conflict (id) do update set entry = excluded.entry`,
};

const ACCOUNT = {
  name: 'demo-account',
  text: `with made as (
           insert into account (id, email, tier, history, demo, signing_secret, created_at)
           values ($1, $2, $3, $4, true, $5, $6) on conflict do nothing returning id
         )
         insert into wallet (account_id) select id from made on conflict do nothing`,
};

/** The hash is that of no text that a key can have, so that no key opens these accounts. */
const KEY = {
  name: 'demo-key',
  text: `insert into api_key (id, account_id, label, prefix, hash, scopes, created_at, revoked_at)
         values ($1, $2, $3, 'sk-ocr-demo', $4, '{ocr:write,ocr:read,usage:read}', $5, $6) on conflict do nothing`,
};

const HOOK = {
  name: 'demo-hook',
  text: `insert into webhook (id, account_id, url, label, events, signing_secret, created_at)
         values ($1, $2, $3, 'Demo', '{ocr.completed}', $4, $5) on conflict do nothing`,
};

/** A key was used last when its newest request came. */
const LAST_USE = {
  name: 'demo-last-use',
  text: `update api_key k set last_used_at = used.at
         from account a cross join lateral (
           select r.key_id, max(r.created_at) as at from ocr_request r where r.account_id = a.id group by r.key_id
         ) used
         where a.demo and used.key_id = k.id and k.account_id = a.id
           and (k.last_used_at is null or k.last_used_at < used.at)`,
};

/** To be called when the traffic is written. */
export async function writeLastUse(client: PoolClient): Promise<void> {
  await query(client, LAST_USE, []);
}

/** Accounts, keys, registrations and engines; those that are there stay as they are. */
export async function writeCast(client: PoolClient, start: Date): Promise<void> {
  for (const { entry } of ENGINES) if (entry) await query(client, ENGINE, [entry.id, JSON.stringify(entry)]);
  for (const account of ACCOUNTS) await writeAccount(client, account, start);
}

async function writeAccount(client: PoolClient, account: DemoAccount, start: Date): Promise<void> {
  const id = accountId(account);
  const { email, tier, history, keys, hook } = account;
  await query(client, ACCOUNT, [id, email, tier, history, secretOf(email), start]);
  for (const { label, revoked } of keys) {
    const hash = digest(`demo key ${email} ${label}`);
    await query(client, KEY, [keyId(account, label), id, label, hash, start, revoked ? start : null]);
  }
  if (hook) await query(client, HOOK, [hookId(account), id, hook, secretOf(hook), start]);
}

/** The same UUID everywhere. */
export function accountId({ email }: DemoAccount): string {
  const hex = digest(`demo account ${email}`).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

export function keyId(account: DemoAccount, label: string): string {
  return castId('key_', `${account.email} ${label}`);
}

export function hookId(account: DemoAccount): string {
  return castId('wh_', account.email);
}

function castId(prefix: 'key_' | 'wh_', name: string): string {
  const dice = new Dice('cast', name);
  return idAt(prefix, CAST_TIME, () => dice.next());
}

function secretOf(name: string): string {
  return `whsec_${digest(`demo secret ${name}`).toString('base64')}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
