import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../house/until.ts';
import { WebConsole } from '../house/web-console.ts';

const TOKEN = 'sk-ocr-the-key-that-stays-in-the-local-server';

let shell: WebConsole;
let cookie: string;

beforeAll(async () => {
  shell = await WebConsole.start({ url: 'http://127.0.0.1:9', token: TOKEN });
  const { headers } = await get(await shell.address());
  cookie = headers['set-cookie']?.[0] ?? '';
});

afterAll(() => shell[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const sent = request(new URL(path, shell.origin), { method, headers });
  sent.end();
  const [res] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = await res.setEncoding('utf8').toArray();
  return { status: res.statusCode ?? 0, headers: res.headers, text: chunks.join('') };
}

function inside(headers: Record<string, string> = {}): Record<string, string> {
  return { cookie: cookie.split(';')[0] ?? '', ...headers };
}

it('gives its cookie for the secret of this start only', async () => {
  expect(cookie).toMatch(/^ocr-router-console-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  for (const path of ['/open', '/open?secret=', '/open?secret=x']) {
    const { status, headers } = await get(path);
    expect([status, headers['set-cookie']]).toEqual([403, undefined]);
  }
});

it('lets one browser in by each address that it prints, and its own link again', async () => {
  const address = await shell.address();
  expect((await get(address, {}, 'HEAD')).status).toBe(403);
  expect((await get(address)).headers['set-cookie']).toHaveLength(1);
  const second = await get(address);
  expect([second.status, second.headers['set-cookie']]).toEqual([403, undefined]);
  expect((await get(address, inside())).status).toBe(200);
  expect((await get(await shell.address())).status).toBe(200);
});

it.each(['/', '/bridge.js', '/index.html', '/assets/'])('shows %s to nobody without the cookie', async (path) => {
  const strangers: Record<string, string>[] = [
    {},
    { cookie: 'ocr-router-console-1=x' },
    { cookie: (inside()['cookie'] ?? '').slice(0, -1) },
  ];
  for (const headers of strangers) expect((await get(path, headers)).status).toBe(403);
});

it('shows the page under a policy without anything of elsewhere', async () => {
  const { status, headers, text } = await get('/', inside());
  const policy = String(headers['content-security-policy']);
  expect(status).toBe(200);
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain(`connect-src ${shell.origin.replace('http', 'ws')}`);
  expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|https?:/);
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  expect((await get('/', inside())).text).not.toBe(text); // another nonce
});

it.each(['ocr.example.com', 'localhost', '127.0.0.1', '[::1]:80', 'localhost:1'])(
  'answers nobody who calls it %s: such a name was made to point here',
  async (host) => {
    for (const path of ['/', `${shell.origin}/open?secret=x`])
      expect((await get(path, inside({ host }))).status).toBe(421);
  },
);

it.each<Record<string, string>>([
  { origin: 'https://example.com' },
  { origin: 'http://127.0.0.1:1' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])('shows nothing to a page with %o', async (headers) => {
  expect((await get('/', inside(headers))).status).toBe(403);
});

it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('does nothing on %s', async (method) => {
  expect((await get('/', inside(), method)).status).toBe(405);
});

it.each(['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json', '/index.html'])(
  'has no file at %s',
  async (path) => {
    expect((await get(path, inside())).status).toBe(404);
  },
);

it('opens its socket for its own page with its cookie only', async () => {
  const { origin } = shell;
  const strangers: Record<string, string>[] = [
    {},
    { origin },
    inside(),
    inside({ origin: 'https://example.com' }),
    inside({ origin, host: 'ocr.example.com' }),
  ];
  for (const headers of strangers) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/bridge`, { headers });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('403');
  }
});

it('answers calls of the list, and lets the key out nowhere', async () => {
  const { origin } = shell;
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/bridge`, { headers: inside({ origin }) });
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(String(data)));
  await once(socket, 'open');
  const calls = [
    { call: 1, channel: 'profiles.list' },
    { call: 2, channel: 'app.info' },
    { call: 3, channel: 'graphql.execute', input: { query: '{ serviceStatus { ok } }', variables: {} } },
    { call: 4, channel: 'profiles.save', input: { id: 'environment', token: 'x' } },
    { call: 5, channel: 'graphql.execute', input: { query: '{ alertOverview { lastCheckAt } }', variables: {} } },
  ];
  for (const message of [
    'no JSON',
    '[]',
    '{"call":9,"channel":"constructor"}',
    ...calls.map((each) => JSON.stringify(each)),
  ]) {
    socket.send(message);
  }
  await until('all are answered', () =>
    calls.every(({ call }) => heard.some((text) => text.startsWith(`{"call":${call},`))),
  );
  socket.close();
  expect(heard.join()).toContain('"hasToken":true');
  expect(heard.join()).toContain('"tokenStorage":"file"');
  expect(heard.join()).not.toContain(TOKEN);
  expect(heard.some((text) => text.includes('"call":9'))).toBe(false);
});

it('writes the key of the environment nowhere', async () => {
  const files = await readdir(shell.folder);
  const kept = await Promise.all(files.map((file) => readFile(join(shell.folder, file), 'utf8')));
  expect(kept.join()).not.toContain(TOKEN);
  expect(shell.output).not.toContain(TOKEN);
});

it('listens on this machine only', async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const outer = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
  const { port } = new URL(shell.origin);
  for (const { address } of outer) await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow();
  expect((await fetch(shell.origin)).status).toBe(403);
});

it('says in a sentence what is wrong with its settings', () => {
  const run = (args: string[], env: Record<string, string>) =>
    spawnSync(process.execPath, [resolve(import.meta.dirname, '../../desktop/src/web/main.ts'), ...args], {
      env: { PATH: process.env['PATH'], HOME: shell.folder, ...env },
      encoding: 'utf8',
    });
  const port = run(['--port', 'x'], {});
  const plain = run([], { OCR_ROUTER_URL: 'http://ocr.example.com', OCR_ROUTER_TOKEN: TOKEN });
  expect([port.status, port.stderr.trim()]).toEqual([1, '--port must be a number up to 65535.']);
  expect([plain.status, plain.stderr.trim()]).toEqual([1, expect.stringMatching(/^Plain http .* address\.$/)]);
});
