import type { LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { targetOf } from './channel-target.ts';

const lookup: LookupFunction = (_, __, callback) => callback(null, [{ address: '203.0.114.5', family: 4 }]);
const OPTIONS = { allowPrivateCidrs: [], sendsMail: true, lookup };

it('hides what is secret in a URL that is a key by itself', async () => {
  const url = 'https://hooks.example.com/services/T0/B0/secret';
  expect(await targetOf('slack', url, OPTIONS)).toEqual({ shown: 'https://hooks.example.com/…', hidden: url });
  expect(await targetOf('webhook', url, OPTIONS)).toEqual({ shown: url, hidden: null });
});

it('takes addresses, and shows them in one way', async () => {
  expect(await targetOf('email', 'a@example.com,b@example.com ', OPTIONS)).toEqual({
    shown: 'a@example.com, b@example.com',
    hidden: null,
  });
});

it.each([
  ['webhook', 'http://127.0.0.1/hook', 'target: must lead to a public address.'],
  ['slack', 'http://169.254.169.254/latest', 'target: must lead to a public address.'],
  ['webhook', 'ftp://example.com', 'target: must begin with http:// or https://.'],
  ['webhook', `https://example.com/${'x'.repeat(2000)}`, 'target: is longer than 2000 characters.'],
  ['email', 'a@example.com, nobody', 'target: "nobody" is no e-mail address.'],
  ['email', 'a@example.com\r\nBcc: b@example.com', 'is no e-mail address.'],
  ['email', Array.from({ length: 11 }, (_, nth) => `a${nth}@example.com`).join(), 'has more than 10 addresses.'],
] as const)('refuses for %s: %s', async (kind, target, message) => {
  await expect(targetOf(kind, target, OPTIONS)).rejects.toThrow(message);
});

it('takes no addresses where there is no mail server', async () => {
  await expect(targetOf('email', 'a@example.com', { ...OPTIONS, sendsMail: false })).rejects.toThrow('SMTP_URL');
});
