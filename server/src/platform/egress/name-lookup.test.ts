import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, it, vi } from 'vitest';
import { startNameServer } from '../../../../test/house/name-server.ts';
import { requirePublicUrl } from './egress.ts';
import { namesIn } from './hosts-file.ts';
import { nameLookup } from './name-lookup.ts';

const said: LookupAddress[] = [{ address: '10.0.0.1', family: 4 }];

function find(lookup: LookupFunction, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });
}

it('asks the name servers, and not the system, whose threads a silent one would hold', async () => {
  await using server = await startNameServer((name) => (name.startsWith('silent') ? 'silence' : ['93.184.216.34']));
  const system = vi.fn<LookupFunction>();
  const lookup = nameLookup({ servers: [server.address], system, systemNames: () => new Set(), limitMs: 500 });
  const stalled = Array.from({ length: 20 }, (_, n) => find(lookup, `silent-${n}.example`));
  const all = Promise.allSettled(stalled);
  expect(await find(lookup, 'files.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect((await all).map(({ status }) => status)).toEqual(stalled.map(() => 'rejected'));
  expect(system).not.toHaveBeenCalled();
});

it('asks the system for the names of its hosts file, and nobody else', async () => {
  await using server = await startNameServer(() => 'unknown');
  const system: LookupFunction = (_name, _options, callback) => callback(null, said);
  const lookup = nameLookup({ servers: [server.address], system, systemNames: () => new Set(['files.local']) });
  expect(await find(lookup, 'Files.local.')).toEqual(said);
  expect(server.asked).toEqual([]);
});

it('asks the system for names that no name server knows, one at a time and not for ever', async () => {
  await using server = await startNameServer(() => 'unknown');
  const system = vi.fn<LookupFunction>((name, _options, callback) => {
    if (name === 'short') callback(null, said);
  });
  const lookup = nameLookup({ servers: [server.address], system, systemNames: () => new Set(), limitMs: 300 });
  expect(await find(lookup, 'short')).toEqual(said);
  const stalled = await Promise.allSettled(['a', 'b', 'c'].map((name) => find(lookup, `${name}.example`)));
  expect(stalled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(system).toHaveBeenCalledTimes(2);
});

it('asks nobody about an address', async () => {
  const system = vi.fn<LookupFunction>();
  const lookup = nameLookup({ servers: ['127.0.0.1:1'], system });
  expect(await find(lookup, '2606:4700::1111')).toEqual([{ address: '2606:4700::1111', family: 6 }]);
  await expect(requirePublicUrl('https://10.0.0.1/', { allowCidrs: [], field: 'url', lookup })).rejects.toThrow('url');
  expect(system).not.toHaveBeenCalled();
});

it('answers one address of a family where that is asked for', async () => {
  await using server = await startNameServer(() => ['93.184.216.34', '93.184.216.35']);
  const lookup = nameLookup({ servers: [server.address], systemNames: () => new Set() });
  const one = await new Promise((resolve, reject) => {
    lookup('files.example', { family: 4 }, (error, address) => (error ? reject(error) : resolve(address)));
  });
  expect(one).toBe('93.184.216.34');
  const six = new Promise((resolve, reject) => {
    lookup('files.example', { family: 6 }, (error, address) => (error ? reject(error) : resolve(address)));
  });
  await expect(six).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('reads the names of a hosts file', () => {
  const text = '127.0.0.1 localhost\n# 10.0.0.2 nobody\n::1\tip6-localhost Files.Local # ours\r\n\n';
  expect([...namesIn(text)]).toEqual(['localhost', 'ip6-localhost', 'files.local']);
});
