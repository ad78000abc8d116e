import { afterAll, expect, it } from 'vitest';
import { until } from '../../../test/house/until.ts';
import { WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { PostOffice } from './post-office.ts';

const NEVER_MS = 600_000;

const office = await PostOffice.open();
const receivers: WebhookReceiver[] = [];
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
});

async function receiver(): Promise<WebhookReceiver> {
  const started = await WebhookReceiver.start();
  receivers.push(started);
  return started;
}

it('receivers that hang delay nobody else, however many deliveries wait for them', async () => {
  const { accountId } = await office.account();
  const hung = await Promise.all(Array.from({ length: 20 }, receiver));
  const healthy = await receiver();
  const stuck = await Promise.all(
    hung.flatMap((each) => Array.from({ length: 20 }, () => office.announce(accountId, each.at('/hook', 'hang')))),
  );
  office.startJob({ timeoutMs: NEVER_MS });
  for (const each of hung) await each.gets('/hook', 1);
  const ids = await Promise.all(Array.from({ length: 50 }, () => office.announce(accountId, healthy.at('/hook'))));
  for (const id of ids) expect((await office.ended(id)).at(-1)).toMatchObject({ attempt: 1, status: 'delivered' });
  for (const id of stuck) expect(await office.state(id)).toMatchObject({ status: 'pending', attempt: 0 });
  for (const each of hung) expect(each.mostAtOnce).toBeLessThan(20);
});

it('an account whose receivers all hang leaves places for the others, at the same receiver too', async () => {
  const own = await PostOffice.open();
  try {
    const slow = await own.account();
    const other = await own.account();
    const hung = await Promise.all(Array.from({ length: 40 }, receiver));
    const shared = await receiver();
    const urls = [...hung, shared].flatMap((each) => Array.from({ length: 10 }, () => each.at('/hook', 'hang')));
    await Promise.all(urls.map((url) => own.announce(slow.accountId, url)));
    own.startJob({ timeoutMs: NEVER_MS });
    const underWay = () => [...hung, shared].reduce((sum, each) => sum + each.received('/hook').length, 0);
    await until('the account has all its places', () => underWay() >= 250);
    const ids = await Promise.all(Array.from({ length: 30 }, () => own.announce(other.accountId, shared.at('/fine'))));
    for (const id of ids) expect((await own.ended(id)).at(-1)).toMatchObject({ attempt: 1, status: 'delivered' });
    expect(underWay()).toBe(250);
  } finally {
    await own[Symbol.asyncDispose]();
  }
});

it('reaches no private address, whatever was registered, and says only so', async () => {
  const guarded = await PostOffice.open();
  const inside = await receiver();
  try {
    guarded.startJob({ allowCidrs: [] });
    const { accountId } = await guarded.account();
    for (const url of [inside.at('/inside'), inside.at('/inside').replace('127.0.0.1', 'localhost')]) {
      const log = await guarded.ended(await guarded.announce(accountId, url));
      expect(log).toHaveLength(4);
      expect(log.at(-1)).toEqual({
        attempt: 4,
        status: 'failed',
        responseCode: null,
        error: 'The URL does not lead to a public address.',
      });
    }
    expect(inside.received('/inside')).toEqual([]);
  } finally {
    await guarded[Symbol.asyncDispose]();
  }
});
