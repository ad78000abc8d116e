import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { addressBucket } from '../../platform/address-bucket.ts';
import type { AppError } from '../../platform/errors.ts';
import { AnonymousLimiter } from './anonymous-limiter.ts';
import { clientAddress } from './client-address.ts';

it('refuses above the limit until the minute is over, each address by itself', () => {
  let now = 1000;
  const limiter = new AnonymousLimiter(2, () => now);
  limiter.hit('192.0.2.1');
  limiter.hit('::ffff:192.0.2.1');
  expect(() => limiter.hit('192.0.2.1')).toThrow(/2 calls a minute. Try again in 60 s/);
  limiter.hit('192.0.2.2');
  now += 60_000;
  limiter.hit('192.0.2.1');
});

it('has the refusals of an address that goes on answered later, until its minute is over', () => {
  let now = 0;
  const limiter = new AnonymousLimiter(1, () => now);
  const delayOf = (call: () => void): number | undefined => {
    try {
      call();
    } catch (error) {
      return (error as AppError).details.answerAfterMs;
    }
    return undefined;
  };
  const hit = () => delayOf(() => limiter.hit('192.0.2.1'));
  expect(hit()).toBeUndefined();
  expect(Array.from({ length: 100 }, hit)).toEqual(Array(100).fill(0));
  expect(hit()).toBe(1000);
  expect(delayOf(() => limiter.requireRoom('192.0.2.1'))).toBe(1000);
  limiter.hit('192.0.2.2');
  expect(delayOf(() => limiter.hit('192.0.2.2'))).toBe(0);
  now = 60_000;
  expect(hit()).toBeUndefined();
  expect(hit()).toBe(0);
});

it('asks for room without counting', () => {
  const limiter = new AnonymousLimiter(1, () => 0);
  limiter.requireRoom('192.0.2.1');
  limiter.hit('192.0.2.1');
  expect(() => limiter.requireRoom('192.0.2.1')).toThrow(/Try again/);
  limiter.requireRoom('192.0.2.2');
});

it('forgets the oldest of very many addresses, and no other', () => {
  const limiter = new AnonymousLimiter(1, () => 0);
  for (let n = 0; n < 20_001; n++) limiter.hit(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  limiter.hit('10.0.0.0'); // forgotten; it pushes out the next
  expect(() => limiter.hit('10.0.0.2')).toThrow(/Try again/);
});

it('counts a /48 of IPv6 as five addresses, and keeps no window of what is above', () => {
  const limiter = new AnonymousLimiter(2, () => 0);
  limiter.hit('192.0.2.1');
  limiter.hit('192.0.2.1');
  const refused = Array.from({ length: 30_000 }, (_, n) => {
    try {
      limiter.hit(`2001:db8:7:${n.toString(16)}::1`);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused.indexOf(true)).toBe(10);
  expect(refused.filter((each) => !each)).toHaveLength(10);
  expect(() => limiter.requireRoom('2001:db8:7:ffff::1')).toThrow(/Try again/);
  limiter.hit('2001:db8:8::1');
  expect(() => limiter.hit('192.0.2.1')).toThrow(/Try again/); // not forgotten
});

it('counts IPv6 by the /64 that one line has', () => {
  expect(addressBucket('2001:db8:1:2:3:4:5:6')).toBe(addressBucket('2001:db8:1:2::9'));
  expect(addressBucket('2001:db8:1:2::1')).not.toBe(addressBucket('2001:db8:1:3::1'));
  expect(addressBucket('2001:db8:1:2::1', 'wide')).toBe(addressBucket('2001:db8:1:3::1', 'wide'));
  expect(addressBucket('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(addressBucket('nonsense')).toBe('unknown');
});

it('believes only the operator’s own proxies, hop by hop', () => {
  const from = (peer: string, forwarded: string | undefined, proxies: readonly string[]) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer });
    const req = new IncomingMessage(socket);
    if (forwarded !== undefined) req.headers['x-forwarded-for'] = forwarded;
    return clientAddress(proxies)(req);
  };
  expect(from('::ffff:10.0.0.1', '192.0.2.9', [])).toBe('10.0.0.1');
  expect(from('10.0.0.1', '192.0.2.9', ['10.0.0.0/8'])).toBe('192.0.2.9');
  expect(from('10.0.0.1', '198.51.100.1, 192.0.2.9, 10.0.0.2', ['10.0.0.0/8'])).toBe('192.0.2.9');
  expect(from('192.0.2.1', '198.51.100.1', ['10.0.0.0/8'])).toBe('192.0.2.1');
  expect(from('10.0.0.1', 'nonsense', ['10.0.0.1'])).toBe('10.0.0.1');
  expect(from('10.0.0.1', undefined, ['10.0.0.1'])).toBe('10.0.0.1');
  expect(from('fd00::1', '2001:db8::1', ['fd00::/8'])).toBe('2001:db8::1');
});
