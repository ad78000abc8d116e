import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { afterAll, expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../../../test/house/admin.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { runSql } from '../../../test/house/sql.ts';
import { openIdentity } from '../../src/accounts/identity.ts';
import { SessionTokens } from '../../src/accounts/login/session-tokens.ts';
import { Sessions } from '../../src/accounts/login/sessions.ts';
import { SigningKeys } from '../../src/accounts/login/signing-keys.ts';
import { openPool } from '../../src/database/pool.ts';
import { Secrets } from '../../src/database/secrets/secrets.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

const MINUTE = 60_000;
const databaseUrl = await createDatabase();
const key = randomBytes(32);
const secrets = new Secrets({ kind: 'environment', current: key, previous: null, file: null });
const log = makeLog('silent');
const pool = openPool(databaseUrl, { max: 4, log });
const admin = await openHouseAdmin(databaseUrl, [key.toString('base64')]);
const { accountId } = await makeAccount(admin);
const { session_token: token } = await admin.createSession(accountId, new URL('http://127.0.0.1:8081/'));
afterAll(async () => {
  await admin[Symbol.asyncDispose]();
  await pool.end();
});

it('a rotated key signs, the former one verifies until its tokens have expired, and then no more', async () => {
  let now = Date.now();
  const keys = new SigningKeys(pool, secrets, () => now);
  const tokens = new SessionTokens(keys, new Sessions(pool));
  const before = await keys.current();
  expect((await tokens.caller(token))?.accountId).toBe(accountId);

  const { kid, retired } = await admin.rotateIdentity();
  expect(retired).toEqual([before.kid]);
  now += MINUTE; // another process: it learns of the new key when it reads the keys anew
  expect((await keys.current()).kid).toBe(kid);
  expect((await keys.all()).map((key) => key.kid)).toEqual([kid, before.kid]);
  expect((await tokens.caller(token))?.accountId).toBe(accountId);

  await runSql(databaseUrl, `update identity_key set verify_until = now() - interval '1 second' where kid = $1`, [
    before.kid,
  ]);
  now += MINUTE;
  expect((await keys.all()).map((key) => key.kid)).toEqual([kid]);
  expect(await tokens.caller(token)).toBeNull();
});

it('a key that was deleted is no longer believed', async () => {
  let now = Date.now();
  const identity = openIdentity(pool, secrets, { settings: null, log });
  const { sessionToken } = await identity.loginEndpoint.open(accountId);
  const keys = new SigningKeys(pool, secrets, () => now);
  const tokens = new SessionTokens(keys, new Sessions(pool));
  expect((await tokens.caller(sessionToken))?.accountId).toBe(accountId);
  await runSql(databaseUrl, 'delete from identity_key where kid = $1', [decodeProtectedHeader(sessionToken).kid]);
  now += MINUTE;
  expect(await tokens.caller(sessionToken)).toBeNull();
  expect((await keys.all()).length).toBe(1); // and another one signs
});
