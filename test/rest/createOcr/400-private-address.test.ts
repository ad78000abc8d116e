import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { DocumentWeb } from '../../house/document-web.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { urlBody } from '../../house/ocr-body.ts';
import { picture } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const closed = await sharedHouse();
const opened = await openHouse({ env: { ALLOW_PRIVATE_CIDRS: '127.0.0.0/30' } });
const web = await DocumentWeb.start();
const { accountId, caller } = await closed.account({ credit: 1 });
web.put('/secret.png', { bytes: await picture() });

// The same port on the IPv6 loopback address, where the machine has one: connections are counted, never answered.
let connections = 0;
const six = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
six.on('error', () => {}); // no IPv6 here: then nothing can come in that way
six.listen(web.port, '::1');
await Promise.race([once(six, 'listening'), once(six, 'error')]).catch(() => {});

afterAll(async () => {
  six.close();
  await opened[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});
beforeEach(() => opened.engines.reset());

const at = (host: string) => `http://${host}:${web.port}/secret.png`;

it.each([
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.01',
  '0',
  '0.0.0.0',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[fe80::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:10.0.0.1]',
  'public.example@127.0.0.1',
  '127.0.0.1%2f@[::1]',
])('refuses %s and never calls there', async (host) => {
  const before = web.hits.length + connections;
  expectError(await caller.ocr(urlBody('reader', at(host))), 400, 'invalid_request', /url/i);
  expect(web.hits.length + connections).toBe(before);
  await expectBalance(closed, accountId, 1);
});

it('refuses a redirect to a private address and never calls there', async () => {
  const { caller: another } = await opened.account();
  for (const host of ['127.9.9.9', '[::1]', '10.0.0.1', '169.254.169.254', 'localhost.example.invalid@192.168.1.1']) {
    const before = connections;
    const url = web.put('/moved.png', { location: at(host) });
    expectError(await another.ocr(urlBody('reader', url)), 400, 'invalid_request', /url/i);
    expect(connections).toBe(before);
    expect(web.hits.at(-1)).toBe('/moved.png');
  }
});

it('refuses a redirect to another scheme', async () => {
  const { caller: another } = await opened.account();
  for (const location of ['file:///etc/hostname', 'ftp://example.com/a.png', 'gopher://example.com/']) {
    const url = web.put('/elsewhere.png', { location });
    expectError(await another.ocr(urlBody('reader', url)), 400, 'invalid_request', /url/i);
  }
});

it('opens what the operator allows, and nothing beside it', async () => {
  const { caller: another } = await opened.account();
  expect((await another.ocr(urlBody('reader', at('127.0.0.1')))).status).toBe(200);
  expectError(await another.ocr(urlBody('reader', at('127.0.0.9'))), 400, 'invalid_request', /url/i);
});
