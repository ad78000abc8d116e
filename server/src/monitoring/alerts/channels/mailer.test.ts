import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { MailServer } from '../../../../../test/house/mail-server.ts';
import { Mailer } from './mailer.ts';

const never = new AbortController().signal;

function send(smtpUrl: string, to = 'ann@example.com') {
  const mailer = new Mailer({ smtpUrl, from: 'gateway@example.com' });
  return mailer.send({ id: 'ald_1', to, title: 'Title', text: 'Text' }, { timeoutMs: 10_000, signal: never });
}

/** A server that says this, and hangs up. */
async function saying(words: string) {
  const server = createServer((socket) => socket.on('error', () => undefined).end(words)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP server
  return { url: `smtp://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

it('names the addresses that the mail server refused while it took the message for others', async () => {
  await using server = await MailServer.start();
  expect(await send(server.url, 'ann@example.com, refused@example.com')).toMatchObject({
    delivered: true,
    error: 'The mail server took it for the others, and refused: refused@example.com (550).',
  });
  expect((await server.gets(1))[0]?.to).toEqual(['ann@example.com']);
});

it('sends nothing once it was told to stop', async () => {
  await using server = await MailServer.start();
  const mailer = new Mailer({ smtpUrl: server.url, from: 'gateway@example.com' });
  const mail = { id: 'ald_1', to: 'ann@example.com', title: 'Title', text: 'Text' };
  const signal = AbortSignal.abort(new Error('the process stops'));
  await expect(mailer.send(mail, { timeoutMs: 10_000, signal })).rejects.toThrow('the process stops');
  expect(server.received).toEqual([]);
});

it('says that TLS is what failed, and why', async () => {
  await using server = await MailServer.start();
  expect(await send(server.url.replace('smtp:', 'smtps:'))).toMatchObject({
    delivered: false,
    responseCode: null,
    error: 'The mail server could not be reached by TLS (ERR_SSL_WRONG_VERSION_NUMBER).',
  });
});

it('says what kept it from a mail server', async () => {
  using closed = await saying('');
  expect(await send(closed.url)).toMatchObject({ error: 'The mail server closed the connection.' });
  using other = await saying('SSH-2.0-x\r\n');
  expect(await send(other.url)).toMatchObject({ error: 'What answers there is no mail server.' });
  const gone = await saying('');
  gone[Symbol.dispose]();
  expect(await send(gone.url)).toMatchObject({ error: 'The mail server could not be reached (ECONNREFUSED).' });
});
