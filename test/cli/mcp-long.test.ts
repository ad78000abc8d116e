import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { OcrRouter } from '@ocr-router/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { mcpServer } from '../../cli/src/mcp/mcp-server.ts';
import { fails, says, silence } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { type House, openHouse } from '../house/house.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';

const SYNC_LIMIT_MS = 2000;
const LONG_PAGES = 11;

/** What is still read in time has all of this, on a busy machine, too; the silent engine is waited for as long. */
const ENGINE_LIMIT_MS = 5000;

/** Only what is read in the background comes to its end here. */
const hurried = await openHouse({ env: { SYNC_LIMIT_MS: String(SYNC_LIMIT_MS) } });
/** A request has the usual time; its engine runs out of it. */
const usual = await openHouse({ engines: { reader: {}, brief: { timeout_ms: ENGINE_LIMIT_MS } } });
const root = await mkdtemp(join(tmpdir(), 'ocr-mcp-'));
afterAll(async () => {
  await Promise.all([hurried, usual].map((house) => house[Symbol.asyncDispose]()));
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => {
  for (const house of [hurried, usual]) house.engines.reset();
});
beforeAll(async () => {
  const pages = Array.from({ length: LONG_PAGES }, (_, page) => ({ text: `Page ${page + 1}` }));
  await writeFile(join(root, 'long.pdf'), makePdf(pages));
  await writeFile(join(root, 'page.png'), await picture());
});

/** An agent with a new account: what `read_document` answers it, facts first. */
async function agent(house: House, maxCostUsd: number | null) {
  const { accountId, apiKey } = await house.account({ credit: 1 });
  const client = new OcrRouter({ url: house.product.url, apiKey, retries: 0 });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer({ client, root, maxCostUsd, version: '1' }).connect(ours);
  const caller = new Client({ name: 'test', version: '1' });
  await caller.connect(theirs);
  const read = async (document: string, engine: string) => {
    const { content } = await caller.callTool({ name: 'read_document', arguments: { document, engine } });
    const [{ text: facts = '' } = {}] = content as { text?: string }[];
    return JSON.parse(facts) as { request_id: string; status: string; cost_debited: number };
  };
  return { accountId, read };
}

it('reads what takes longer than one call may', async () => {
  const { accountId, read } = await agent(hurried, null);
  hurried.engines.script('reader', async (_call, nth) => {
    if (nth === 1) await sleep(SYNC_LIMIT_MS * 2);
    return says('a page');
  });
  const first = await read('long.pdf', 'reader');
  expect(first).toMatchObject({ status: 'succeeded', pages: LONG_PAGES, cost_debited: 0.11 });
  expect(await read('long.pdf', 'reader')).toMatchObject({ status: 'succeeded', request_id: first.request_id });
  await expectBalance(hurried, accountId, 0.89);
});

it('tries anew what failed in the background and cost nothing: its key would repeat that for ever', async () => {
  const { accountId, read } = await agent(usual, null);
  usual.engines.script('reader', fails(400, 'out of order'));
  const failed = await read('long.pdf', 'reader');
  expect(failed.cost_debited).toBe(0);
  usual.engines.script('reader', says('a page'));
  const anew = await read('long.pdf', 'reader');
  expect(anew).toMatchObject({ status: 'succeeded', cost_debited: 0.11 });
  expect(anew.request_id).not.toBe(failed.request_id);
  expect(await read('long.pdf', 'reader')).toMatchObject({ request_id: anew.request_id });
  await expectBalance(usual, accountId, 0.89);
});

it.each([null, 0.5])('tries anew what ran out of time in an earlier call; limit of the session: %s', async (limit) => {
  const { accountId, read } = await agent(usual, limit);
  usual.engines.script('brief', silence);
  const late = [await read('page.png', 'brief'), await read('page.png', 'brief')];
  expect(late.map(({ status }) => status)).toEqual(['timeout', 'timeout']);
  usual.engines.script('brief', says('now it would'));
  const { request_id, status } = await read('page.png', 'brief');
  expect(status).toBe('succeeded');
  expect(new Set([request_id, ...late.map(({ request_id: id }) => id)]).size).toBe(3);
  expect(await read('page.png', 'brief')).toMatchObject({ status: 'succeeded', request_id });
  expect(usual.engines.calls('brief')).toHaveLength(3);
  await expectBalance(usual, accountId, 0.982); // two calls at the provider's cost, one at its price
});
