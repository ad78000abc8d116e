import type { LookupFunction } from 'node:net';
import { type Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../../test/house/listen.ts';
import { SilentHandshake } from '../../../../test/house/silent-handshake.ts';
import { assertPublicUrl, guardedAgent, isPrivateAddress, requirePublicUrl } from './egress.ts';

/** Everything that is not the internet, in the spellings that URLs allow. */
const PRIVATE_HOSTS = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
  ],
  ...[
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...[
    '168.63.129.16',
    '192.168.0.1',
    '192.168.255.255',
    '169.254.169.254',
    '0xa9fea9fe',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.1',
    '192.0.2.1',
  ],
  ...[
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
  ],
  ...[
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:a00:1]',
  ],
  ...[
    '[::7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
  ],
  ...[
    '[2001:0:7f00:1::]',
    '[2001:db8::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[3fff::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
  ],
  ...[
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[4000::1]',
    '[5f00::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'db.localhost',
  ],
];

const PUBLIC_HOSTS = [
  'example.com',
  '93.184.216.34',
  '1.1.1.1',
  '[2606:4700:4700::1111]',
  'localhost.example.com',
  '172.32.0.1',
];

describe('assertPublicUrl', () => {
  it.each(PRIVATE_HOSTS)('refuses %s', (host) => {
    expect(() => assertPublicUrl(`http://${host}/scan.png`, [])).toThrow(/^input\.url: must lead to a public address/);
  });

  it.each(PUBLIC_HOSTS)('accepts %s, on any port', (host) => {
    expect(assertPublicUrl(`https://${host}:8443/scan.png`, []).port).toBe('8443');
  });

  it.each([
    ['', 'is not a URL'],
    ['scan.png', 'is not a URL'],
    ['//example.com/scan.png', 'is not a URL'],
    ['http://', 'is not a URL'],
    ['http://1.2.3.4.5/', 'is not a URL'],
    ['file:///etc/passwd', 'must begin with http'],
    ['ftp://example.com/scan.png', 'must begin with http'],
    ['data:image/png;base64,AAAA', 'must begin with http'],
    ['http://user:secret@example.com/', 'must not hold credentials'],
    ['http://user@example.com/', 'must not hold credentials'],
    ['http://127.0.0.1@example.com/', 'must not hold credentials'],
    ['http://example.com@127.0.0.1/', 'must not hold credentials'],
  ])('refuses "%s" as a bad request', (url, reason) => {
    expect(() => assertPublicUrl(url, [])).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => assertPublicUrl(url, [])).toThrow(reason);
  });

  it('names the field that holds the URL', () => {
    expect(() => assertPublicUrl('http://10.0.0.1/', [], 'webhook_url')).toThrow(/^webhook_url: /);
  });

  it('accepts what the operator opened, and nothing beside it', () => {
    const opened = ['127.0.0.0/8', 'fd12::/16'];
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '[fd12::1]']) {
      expect(() => assertPublicUrl(`http://${host}/`, opened), host).not.toThrow();
    }
    for (const host of ['10.0.0.1', '[::1]', '[fd13::1]']) {
      expect(() => assertPublicUrl(`http://${host}/`, opened), host).toThrow('public address');
    }
  });
});

describe('the guarded agent', () => {
  it('never reaches this machine, by whatever spelling', async () => {
    await using canary = await listen((_, response) => response.end('hit'), 'everywhere');
    await using stack = new AsyncDisposableStack();
    const agent = stack.adopt(guardedAgent({ allowCidrs: [] }), destroy);
    await expect(request(`http://localhost:${canary.port}/`, { dispatcher: agent })).rejects.toThrow();
    for (const host of PRIVATE_HOSTS.filter((host) => !/localhost/i.test(host))) {
      const call = request(`http://${host}:${canary.port}/`, { dispatcher: agent });
      await expect(call, host).rejects.toSatisfy(isPrivateAddress);
    }
    expect(canary.hits).toBe(0);
    const open = stack.adopt(guardedAgent({ allowCidrs: ['127.0.0.0/8'] }), destroy);
    await (await request(`http://127.0.0.1:${canary.port}/`, { dispatcher: open })).body.dump();
    expect(canary.hits, 'the canary sings at all').toBe(1);
  });

  it.each([
    ['a private address', [['10.0.0.1']]],
    ['a private address among public ones', [['93.184.216.34', '127.0.0.1']]],
    ['a private IPv6 address', [['::1']]],
    ['an embedded address', [['::ffff:127.0.0.1']]],
    ['no address', [[]]],
    ['a zone of this link', [['fe80::1%lo']]],
  ])('refuses a name that resolves to %s', async (_, answers) => {
    await using canary = await listen((_request, response) => response.end('hit'), 'everywhere');
    await using stack = new AsyncDisposableStack();
    const agent = stack.adopt(guardedAgent({ allowCidrs: [], lookup: resolver(answers) }), destroy);
    const call = request(`http://rebind.example:${canary.port}/`, { dispatcher: agent });
    await expect(call).rejects.toSatisfy(isPrivateAddress);
    expect(canary.hits).toBe(0);
  });

  it('asks for a name once a connection, and dials what it was told', async () => {
    await using server = await listen((_, response) => response.end('hit'));
    const asked: string[] = [];
    const lookup = resolver([['127.0.0.1'], ['10.0.0.1']], asked);
    await using stack = new AsyncDisposableStack();
    const agent = stack.adopt(guardedAgent({ allowCidrs: ['127.0.0.0/8'], lookup }), destroy);
    const first = await request(`http://rebind.example:${server.port}/`, {
      dispatcher: agent,
      headers: { connection: 'close' },
    });
    expect(await first.body.text()).toBe('hit');
    expect(asked).toEqual(['rebind.example']);
    const second = request(`http://rebind.example:${server.port}/`, { dispatcher: agent });
    await expect(second).rejects.toSatisfy(isPrivateAddress);
    expect(server.hits).toBe(1);
  });
});

it('waits for each handshake by itself: one that stands still keeps no other call from the same server', async () => {
  using server = await SilentHandshake.start();
  await using stack = new AsyncDisposableStack();
  const agent = stack.adopt(guardedAgent({ allowCidrs: ['127.0.0.0/8'], connectTimeoutMs: 1000 }), destroy);
  const began = performance.now();
  const calls = Array.from({ length: 8 }, () => request(server.url, { dispatcher: agent }));
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
  expect(performance.now() - began).toBeLessThan(6000);
  expect(server.isOfferedHttp2).toBe(false);
});

describe('requirePublicUrl', () => {
  const url = 'https://hooks.example.com/ocr';
  const naming = (...addresses: string[]) => ({ allowCidrs: [], field: 'url', lookup: resolver([addresses]) });

  it('takes a name that leads to public addresses', async () => {
    expect((await requirePublicUrl(url, naming('93.184.216.34', '2606:2800:220:1::1'))).href).toBe(url);
  });

  it('refuses a name when any of its addresses is private, naming the field', async () => {
    await expect(requirePublicUrl(url, naming('10.0.0.7'))).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(requirePublicUrl(url, naming('93.184.216.34', '::1'))).rejects.toThrow(/^url: /);
  });

  it('refuses a private address without asking anybody', async () => {
    await expect(requirePublicUrl('http://[fd00::1]/', naming('93.184.216.34'))).rejects.toThrow(/^url: /);
  });

  it('takes a name that nobody knows yet: calling it is guarded again', async () => {
    const lookup: LookupFunction = (_hostname, _options, callback) => callback(new Error('ENOTFOUND'), []);
    await expect(requirePublicUrl(url, { allowCidrs: [], field: 'url', lookup })).resolves.toBeInstanceOf(URL);
  });
});

/** Answers each look-up with the next list of addresses, and stays with the last. */
function resolver(answers: string[][], asked: string[] = []): LookupFunction {
  return (hostname, _options, callback) => {
    const addresses = answers[Math.min(asked.push(hostname), answers.length) - 1] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

function destroy(agent: Agent): Promise<void> {
  return agent.destroy();
}
