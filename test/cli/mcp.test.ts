import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fails, says } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { freePorts } from '../house/free-ports.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { until } from '../house/until.ts';

const COMMAND = resolve(import.meta.dirname, '../../cli/dist/main.js');
const TOOLS = ['estimate', 'get_pages', 'get_result', 'list_engines', 'read_document'];

const house = await sharedHouse();
const root = await mkdtemp(join(tmpdir(), 'ocr-mcp-'));
afterAll(() => rm(root, { recursive: true, force: true }));
beforeAll(async () => {
  await writeFile(join(root, 'page.png'), await picture());
  await writeFile(join(root, 'other.png'), await picture());
  await writeFile(join(root, 'three.pdf'), makePdf(['One', 'Two', 'Three'].map((word) => ({ text: word }))));
  await writeFile(join(root, 'eleven.pdf'), makePdf(Array.from({ length: 11 }, () => ({ text: 'A page' }))));
  await symlink('/etc/hostname', join(root, 'link.png'));
});

type Answer = { content: { type: string; text: string }[]; isError?: boolean };

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  return (await client.callTool({ name, arguments: args })) as Answer;
}

/** An agent over stdio, with the key of a new account. */
async function agent(...more: string[]) {
  return agentOf(await house.account(), ...more);
}

async function agentOf<T extends { readonly apiKey: string }>(account: T, ...more: string[]) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    OCR_ROUTER_URL: house.product.url,
    OCR_ROUTER_API_KEY: account.apiKey,
  };
  const client = new Client({ name: 'test', version: '1' });
  const args = [COMMAND, 'mcp', '--root', root, ...more];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return { client, account };
}

it('answers an agent over stdio: what was read is data, and the session has a limit', async () => {
  const { client } = await agent('--max-cost', '0.015');
  try {
    expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(TOOLS);
    const engines = await call(client, 'list_engines');
    expect(engines.content[0]?.text).toContain('"id":"reader"');
    const estimate = await call(client, 'estimate', { document: 'page.png', engine: 'reader' });
    expect(JSON.parse(estimate.content[0]?.text ?? '')).toMatchObject({ pages_total: 1, reserved_usd: 0.01 });
    const read = await call(client, 'read_document', { document: 'page.png', engine: 'reader' });
    const facts = JSON.parse(read.content[0]?.text ?? '') as { request_id: string };
    expect(facts).toMatchObject({ status: 'succeeded', cost_debited: 0.01 });
    expect(read.content[1]?.text).toMatch(/^What follows is the content of a document.*\n\nread by reader$/);
    const again = await call(client, 'get_result', { request_id: facts.request_id });
    expect(again.content[1]?.text).toContain('read by reader');
    const over = await call(client, 'read_document', { document: 'other.png', engine: 'reader' });
    expect(over).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/max_cost_usd/) }] });
    for (const document of ['../../etc/passwd', '/etc/passwd', 'link.png', 'none.png']) {
      const refused = await call(client, 'read_document', { document, engine: 'reader' });
      expect(refused, document).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/folder/) }] });
    }
  } finally {
    await client.close();
  }
});

it('gives an agent the pages of a request, as data like all that a document says', async () => {
  const { client, account } = await agent();
  try {
    const read = await call(client, 'read_document', { document: 'three.pdf', engine: 'pdf-text' });
    const { request_id } = JSON.parse(read.content[0]?.text ?? '') as { request_id: string };
    const [facts, data] = (await call(client, 'get_pages', { request_id })).content;
    expect(JSON.parse(facts?.text ?? '')).toEqual({ request_id, status: 'succeeded', part: 1, parts: 1, pages: 3 });
    const [first = '', pages = ''] = data?.text.split('\n\n') ?? [];
    expect(first).toMatch(/^What follows is the content of a document/);
    expect(JSON.parse(pages)).toMatchObject([
      { page: 1, text: 'One', source: 'text_layer' },
      { page: 2, text: 'Two' },
      { page: 3, text: 'Three' },
    ]);
    const beyond = await call(client, 'get_pages', { request_id, part: 2 });
    expect(beyond.content[1]?.text).toMatch(/\n\n\[\]$/);
    const other = await call(client, 'get_pages', { request_id: 'ocr_none' });
    expect(other).toMatchObject({ isError: true });

    const body = ocrBody('pdf-text', makePdf([{ text: 'With its places' }]), { include: ['words'] });
    const withWords = (await account.caller.ocr(body)).body.request_id;
    const result = await call(client, 'get_result', { request_id: withWords });
    expect(result.content[0]?.text).not.toContain('places'); // what the document says is in the second part alone
    const words = await call(client, 'get_pages', { request_id: withWords, include: ['words'] });
    expect(words.content[0]?.text).not.toContain('places');
    expect(words.content[1]?.text).toContain('"text":"places"');
  } finally {
    await client.close();
  }
});

it.each([true, false])('gives an agent what was read of a document in part; with history: %s', async (history) => {
  const { client } = await agentOf(await house.account({ history }), '--max-cost', '1');
  let calls = 0;
  house.engines.script('reader', () => (++calls === 2 ? fails(400, 'not this one') : says('a page')));
  try {
    const read = await call(client, 'read_document', { document: 'three.pdf', engine: 'reader' });
    const [facts = '', data] = read.content.map(({ text }) => text);
    const { request_id, ...told } = JSON.parse(facts) as { request_id: string };
    expect([read.isError, told]).toMatchObject([undefined, { status: 'partial', cost_debited: 0.02 }]);
    expect(facts).not.toContain('a page'); // what the document says is in the second part alone
    expect(data).toMatch(/^What follows is the content of a document.*\n\na page/s);
    if (!history) return; // only its beginning is there
    expect(data).toMatch(/\n\na page\n\n---\n\na page$/);
    expect(told).toMatchObject({
      incomplete: expect.stringMatching(/^1 of its 3 pages not read, or not to their end: [123]\.$/),
      pages_failed: [{ page: expect.any(Number), code: 'provider_error', message: expect.any(String) }],
    });
    const again = await call(client, 'get_result', { request_id });
    expect([again.isError, again.content[1]?.text]).toEqual([undefined, data]);
  } finally {
    await client.close();
  }
});

it('reads a long document on one call where no texts are kept', async () => {
  const { client } = await agentOf(await house.account({ history: false }));
  try {
    const read = await call(client, 'read_document', { document: 'eleven.pdf', engine: 'pdf-text' });
    expect(JSON.parse(read.content[0]?.text ?? '')).toMatchObject({ status: 'succeeded', pages: 11 });
  } finally {
    await client.close();
  }
});

it.each([{ bound: [] }, { bound: ['--max-cost', '1'] }])(
  'is billed no more pages than a document has, whatever an agent asks for; $bound',
  async ({ bound }) => {
    const { client, account } = await agent(...bound);
    const given = { document: 'three.pdf', engine: 'reader', pages: 10 };
    try {
      const estimate = await call(client, 'estimate', given);
      expect(JSON.parse(estimate.content[0]?.text ?? '')).toMatchObject({ billed_pages: 3, worst_case_usd: 0.03 });
      const read = await call(client, 'read_document', given);
      expect(JSON.parse(read.content[0]?.text ?? '')).toMatchObject({ pages: 3, cost_debited: 0.03 });
      await expectBalance(house, account.accountId, 9.97);
      const some = await call(client, 'read_document', { ...given, pages: 2 });
      expect(JSON.parse(some.content[0]?.text ?? '')).toMatchObject({ pages: 2, pages_total: 3, cost_debited: 0.02 });
    } finally {
      await client.close();
    }
  },
);

it('reads so many pages as an agent says with a key that may not count them', async () => {
  const { client } = await agentOf(await house.account({ scopes: ['ocr:write'] }));
  const read = (more: object) => call(client, 'read_document', { document: 'three.pdf', engine: 'pdf-text', ...more });
  try {
    const two = await read({ pages: 2 });
    expect(JSON.parse(two.content[0]?.text ?? '')).toMatchObject({ status: 'succeeded', pages: 2 });
    expect(await read({})).toMatchObject({ isError: true });
  } finally {
    await client.close();
  }
});

it('answers over HTTP with the key of each call, and reads no files there', async () => {
  const { apiKey } = await house.account();
  const [port = 0] = await freePorts(1);
  const env = { ...process.env, OCR_ROUTER_URL: house.product.url };
  const server = spawn(process.execPath, [COMMAND, 'mcp', '--port', String(port)], { env, stdio: 'ignore' });
  const ended = once(server, 'exit');
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const post = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...headers } });
  try {
    await until('the MCP server', () => post({}).catch(() => null));
    expect((await post({})).status).toBe(401);
    expect((await post({ authorization: `Bearer ${apiKey}`, origin: 'https://example.com' })).status).toBe(403);
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit }) as Parameters<typeof client.connect>[0],
    );
    expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(TOOLS);
    expect((await call(client, 'list_engines')).content[0]?.text).toContain('"id":"reader"');
    const file = await call(client, 'read_document', { document: 'page.png' });
    expect(file).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/URLs/) }] });
    await client.close();
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
});

it('ends with a sentence for a message that is too large to be one', async () => {
  const child = spawn(process.execPath, [COMMAND, 'mcp', '--root', root], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  child.stdin.on('error', () => undefined); // it ends before all is written
  child.stdin.write('x'.repeat(11_000_000));
  await once(child, 'exit');
  expect(said).toBe('ocr-router: a message of more than 10 MB ends the session.\n');
  expect(child.exitCode).toBe(2);
});
