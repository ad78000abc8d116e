import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { expect, it, vi } from 'vitest';
import { clientAddress } from './client-address.ts';

const addressOf = clientAddress(['10.0.0.0/8', 'fd00::/8']);

function call(peer: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage; // all that is read of a call
}

it.each([
  ['the peer', '198.51.100.1', undefined, '198.51.100.1'],
  ['the peer, whatever it says, where it is no proxy', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['what a proxy says', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['what the first of two proxies says', '10.0.0.1', '192.0.2.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['IPv4 that came through IPv6', '::ffff:10.0.0.1', ' ::ffff:203.0.113.9 ', '203.0.113.9'],
  ['the last proxy, where it names no address', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['the last proxy, where it names nothing', '10.0.0.1', '203.0.113.9,', '10.0.0.1'],
  ['the first proxy, where nobody else is named', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
])('is %s', (_what, peer, forwarded, address) => {
  expect(addressOf(call(peer, forwarded))).toBe(address);
});

it('looks at no more of the header than is believed', () => {
  const looks = vi.spyOn(ipaddr, 'isValid');
  expect(addressOf(call('10.0.0.1', `${'x,'.repeat(8000)}203.0.113.9`))).toBe('203.0.113.9');
  expect(addressOf(call('198.51.100.1', 'x,'.repeat(8000)))).toBe('198.51.100.1');
  expect(looks.mock.calls.length).toBeLessThan(4);
  looks.mockRestore();
});
