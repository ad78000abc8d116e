import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { hostProduct } from '../../../test/house/hosted-product.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { Secrets } from '../../src/database/secrets/secrets.ts';

const keys = [randomBytes(32), randomBytes(32)] as const;
const text = (key: Buffer) => key.toString('base64');
const withKey = (current: Buffer) => new Secrets({ kind: 'environment', current, previous: null, file: null });

const databaseUrl = await createDatabase();
const open: AsyncDisposable[] = [];
afterAll(async () => {
  for (const each of open.reverse()) await each[Symbol.asyncDispose]();
});

/** Every column that holds a secret, as PostgreSQL has it. */
async function stored(): Promise<string[]> {
  const rows = await readSql<{ value: string }>(
    databaseUrl,
    `select signing_secret as value from account union all select signing_secret from webhook
     union all select previous_secret from webhook where previous_secret is not null
     union all select older_secrets from webhook where older_secrets is not null
     union all select private_jwk::text from identity_key`,
  );
  return rows.map(({ value }) => value);
}

async function start(env: Record<string, string>) {
  const product = await hostProduct({ databaseUrl, env });
  open.push(product);
  return product;
}

describe('secrets at rest', () => {
  let accountId: string;
  let secret: string;

  it('that were plain are encrypted at the first start with a key', async () => {
    const plain = await start({});
    const admin = await openHouseAdmin(databaseUrl);
    ({ accountId } = await makeAccount(admin));
    secret = (await admin.showAccount(accountId)).signing_secret;
    await runSql(
      databaseUrl,
      `insert into webhook (id, account_id, url, events, signing_secret, previous_secret, older_secrets, is_active)
       select 'wh_' || n, $1::uuid, 'https://example.com/' || n, '{ocr.completed}', 'whsec_b25l', 'whsec_dHdv', '[]', true
       from generate_series(1, 700) n`,
      [accountId],
    );
    expect((await fetch(`${plain.dashboardUrl}/.well-known/jwks.json`)).status).toBe(200);
    expect((await stored()).filter((value) => value.includes('enc:1:'))).toEqual([]);
    await admin[Symbol.asyncDispose]();
    await plain.stop();

    const product = await start({ SECRETS_KEY: text(keys[0]) });
    const after = await stored();
    expect(after.length).toBeGreaterThan(2100);
    expect(after.filter((value) => !value.includes(`enc:1:${withKey(keys[0]).keyId}:`))).toEqual([]);
    expect((await fetch(`${product.dashboardUrl}/.well-known/jwks.json`)).status).toBe(200);
    expect(product.logs()).not.toContain(text(keys[0]));
    await using operator = await openHouseAdmin(databaseUrl, [text(keys[0])]);
    expect((await operator.showAccount(accountId)).signing_secret).toBe(secret);
    const { checks, ok } = await operator.doctor();
    expect(ok).toBe(true);
    expect(checks.find(({ name }) => name === 'secrets can be opened')?.detail).toMatch(
      /^\d+ encrypted, 0 plain, 0 that/,
    );
  });

  it.each([
    ['without the key', {}],
    ['with another key', { SECRETS_KEY: text(keys[1]) }],
  ])('keep a process from starting %s, which says so in one sentence', async (_name, env) => {
    const failure = await hostProduct({ databaseUrl, env }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(failure).toMatch(/The secrets in this database were encrypted with another key: .*SECRETS_KEY/);
    expect(failure).not.toContain(text(keys[1]));
    await expect(openHouseAdmin(databaseUrl)).rejects.toThrow(/encrypted with another key/);
  });

  it('go over to another key, while processes that have both run', async () => {
    const product = await start({ SECRETS_KEY: text(keys[1]), SECRETS_KEY_PREVIOUS: text(keys[0]) });
    await using operator = await openHouseAdmin(databaseUrl, [text(keys[1]), text(keys[0])]);
    // As a version before leaves it that has changed the key twice meanwhile.
    const lost = withKey(randomBytes(32)).seal('webhook:wh_7', '[]');
    await runSql(databaseUrl, "update webhook set older_secrets = $1 where id = 'wh_7'", [lost]);
    expect((await operator.rotateSecrets()).encrypted).toBeGreaterThan(2100);
    const given = await readSql(databaseUrl, 'select id from webhook where older_secrets is null');
    expect(given).toEqual([{ id: 'wh_7' }]);
    expect((await stored()).filter((value) => !value.includes(`enc:1:${withKey(keys[1]).keyId}:`))).toEqual([]);
    expect((await operator.showAccount(accountId)).signing_secret).toBe(secret);
    expect((await fetch(`${product.dashboardUrl}/.well-known/jwks.json`)).status).toBe(200);
    await using alone = await openHouseAdmin(databaseUrl, [text(keys[1])]);
    expect((await alone.showAccount(accountId)).signing_secret).toBe(secret);
    await expect(openHouseAdmin(databaseUrl, [text(keys[0])])).rejects.toThrow(/encrypted with another key/);
  });

  it('that were copied to another row do not open, and doctor says so', async () => {
    await using operator = await openHouseAdmin(databaseUrl, [text(keys[1])]);
    const { accountId: other } = await makeAccount(operator);
    await runSql(
      databaseUrl,
      'update account set signing_secret = (select signing_secret from account where id = $1) where id = $2',
      [accountId, other],
    );
    await expect(operator.showAccount(other)).rejects.toThrow();
    const { ok, checks } = await operator.doctor();
    expect(ok).toBe(false);
    expect(checks.find(({ name }) => name === 'secrets can be opened')?.detail).toContain('1 that no key opens');
  });
});
