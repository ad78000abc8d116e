import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { runSql } from '../../../test/house/sql.ts';
import { WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { PostOffice } from './post-office.ts';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
office.startJob();
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Which of the secrets sign what came last at a path. */
async function signers(path: string, secrets: readonly (string | null)[]): Promise<boolean[]> {
  const last = receiver.received(path).at(-1);
  if (!last) throw new Error('nothing came');
  return secrets.map((secret) => {
    try {
      new StandardWebhook(secret ?? '').verify(last.bytes, last.headers as Record<string, string>); // single values
      return true;
    } catch {
      return false;
    }
  });
}

it('signs with the new secret and with the former ones, each for a day, separated by spaces', async () => {
  const { accountId } = await office.account();
  const { id, secret: first, url } = await office.registrations.create(accountId, { url: receiver.at('/rotated') });
  const { secret: second, previousSecretUntil } = await office.registrations.rotateSecret(accountId, id);
  const hoursLeft = ((previousSecretUntil?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(Math.round(hoursLeft)).toBe(24);
  expect(second).not.toBe(first);
  await office.ended(await office.announce(accountId, url));
  expect(await signers('/rotated', [first, second])).toEqual([true, true]);
  expect(receiver.received('/rotated').at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);

  const { secret: third } = await office.registrations.rotateSecret(accountId, id);
  await office.ended(await office.announce(accountId, url));
  expect(await signers('/rotated', [first, second, third])).toEqual([true, true, true]);

  const over = `previous_secret_until = now() - interval '1 second', older_secrets = null`;
  await runSql(office.databaseUrl, `update webhook set ${over}`, []);
  await office.ended(await office.announce(accountId, url));
  expect(await signers('/rotated', [first, second, third])).toEqual([false, false, true]);
  expect((await office.registrations.find(accountId, id)).previousSecretUntil).toBeNull();
});

it('hands the new secret out once, and only to its account', async () => {
  const { accountId } = await office.account();
  const { id } = await office.registrations.create(accountId, { url: receiver.at('/once') });
  expect((await office.registrations.rotateSecret(accountId, id)).secret).toMatch(/^whsec_/);
  expect((await office.registrations.find(accountId, id)).secret).toBeNull();
  const stranger = await office.account();
  await expect(office.registrations.rotateSecret(stranger.accountId, id)).rejects.toMatchObject({ code: 'not_found' });
});
