import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { clientAddress } from '../../accounts/callers/client-address.ts';
import { partiesBy } from './body-party.ts';

const PROXY = '127.0.0.1';
const partyOf = partiesBy(clientAddress([PROXY]));

/** A call that the proxy hands on. */
function from(address: string): IncomingMessage {
  const req = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: PROXY }));
  req.headers['x-forwarded-for'] = address;
  return req;
}

it('counts the bodies of strangers by their own address, not by that of the operator’s proxy', () => {
  expect(partyOf(from('203.0.113.1'), null)).not.toBe(partyOf(from('203.0.113.2'), null));
  expect(partyOf(from('203.0.113.1'), null)).toBe(partyOf(from('203.0.113.1'), null));
  expect(partyOf(from('2001:db8:1:2::1'), null)).toBe(partyOf(from('2001:db8:1:2::2'), null));
});

it('counts the bodies of an account together, wherever they come from', () => {
  expect(partyOf(from('203.0.113.1'), 'account')).toBe(partyOf(from('203.0.113.2'), 'account'));
});
