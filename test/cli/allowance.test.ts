import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { OcrRouter } from '@ocr-router/client';
import { expect, it } from 'vitest';
import { mcpServer } from '../../cli/src/mcp/mcp-server.ts';

const PAGE_USD = 0.01;
const DOCUMENT = 'https://example.com/page.png';

interface Body {
  readonly max_cost_usd: number;
  readonly page_count?: number;
}
type Answer = (body: Body) => Promise<Response> | Response;

/** A gateway whose documents have one page. What a read answers may be told, one after the other. */
class Gateway {
  readonly caps: number[] = [];
  readonly answers: Answer[] = [];
  mostAtOnce = 0;
  isDown = false;
  charged = 0;
  #atOnce = 0;

  readonly fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (this.isDown) throw new TypeError('connection refused');
    const path = new URL(String(url)).pathname;
    if (init?.method !== 'POST') return refusal(404, 'not_found');
    const body = JSON.parse(String(init.body)) as Body;
    if (path === '/v1/ocr/estimate') {
      return Response.json({
        pages_total: 1,
        billed_pages: 1,
        worst_case_usd: Math.min(PAGE_USD, body.max_cost_usd),
      });
    }
    this.caps.push(body.max_cost_usd);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    try {
      return await (this.answers.shift() ?? this.#read)(body);
    } finally {
      this.#atOnce--;
    }
  };

  readonly #read: Answer = async ({ max_cost_usd }) => {
    await sleep(20);
    if (max_cost_usd < PAGE_USD) return refusal(402, 'budget_exceeded');
    this.charged += PAGE_USD;
    return Response.json({
      request_id: 'ocr_1',
      status: 'succeeded',
      cost_debited: PAGE_USD,
      extracted_text: 'a page',
    });
  };
}

function refusal(status: number, code: string): Response {
  return Response.json({ error: { code, message: `${code}: max_cost_usd` } }, { status });
}

async function open(maxCostUsd: number) {
  const gateway = new Gateway();
  const client = new OcrRouter({ url: 'http://gateway', apiKey: 'sk', retries: 0, fetch: gateway.fetch });
  const agent = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer({ client, root: null, maxCostUsd, version: '1' }).connect(ours);
  await agent.connect(theirs);
  const read = async (signal?: AbortSignal) => {
    const call = { name: 'read_document', arguments: { document: DOCUMENT } };
    const { isError, content } = await agent.callTool(call, undefined, { ...(signal && { signal }) });
    const [first] = content as { text: string }[];
    return isError ? (first?.text ?? '') : 'read';
  };
  return { gateway, read };
}

it('calls side by side do not get beyond the limit of the session', async () => {
  const { gateway, read } = await open(0.025);
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => read()));
  expect(outcomes.slice(0, 3)).toEqual(['read', 'read', expect.stringMatching(/max_cost_usd/)]);
  expect(outcomes.filter((outcome) => outcome === 'read').length).toBe(2);
  expect([gateway.charged, gateway.mostAtOnce]).toEqual([0.02, 1]);
  expect(gateway.caps).toEqual([0.01, 0.01, 0.005, 0.005, 0.005]);
});

it('what ended nobody knows how counts as all that it might have cost', async () => {
  const { gateway, read } = await open(0.03);
  gateway.answers.push(
    () => Promise.reject(new TypeError('other side closed')),
    () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    () => Response.json({ request_id: 'ocr_1', status: 'processing' }, { status: 202 }), // and it is gone then: 404
  );
  expect(await read()).toMatch(/other side closed/);
  expect(await read()).toMatch(/502/);
  expect(await read()).toMatch(/not_found/);
  expect(await read()).toBe('This session may have cost 0.03 USD, and its limit is 0.03 USD.');
  expect(gateway.caps).toEqual([0.01, 0.01, 0.01]);
});

it('what was refused, or did not get as far as a request, costs nothing', async () => {
  const { gateway, read } = await open(0.01);
  gateway.answers.push(() => refusal(503, 'engine_unavailable'));
  expect(await read()).toMatch(/engine_unavailable/);
  gateway.isDown = true;
  expect(await read()).toMatch(/connection refused/);
  gateway.isDown = false;
  expect(await read()).toBe('read');
  expect(await read()).toBe('This session has cost 0.01 USD, and its limit is 0.01 USD.');
});

it('what an earlier call was charged for costs nothing again', async () => {
  const { gateway, read } = await open(0.02);
  const result = { request_id: 'ocr_1', status: 'succeeded', cost_debited: PAGE_USD, extracted_text: 'a page' };
  const replay = () => Response.json(result, { headers: { 'Idempotent-Replayed': 'true' } });
  gateway.answers.push(replay, replay);
  expect([await read(), await read(), await read(), await read()]).toEqual(['read', 'read', 'read', 'read']);
  expect(await read()).toBe('This session has cost 0.02 USD, and its limit is 0.02 USD.');
  expect(gateway.charged).toBe(0.02);
});

it('a call that was given up while it waited for its turn is not begun', async () => {
  const { gateway, read } = await open(0.02);
  const givenUp = new AbortController();
  const first = read();
  const second = read(givenUp.signal).catch((error: Error) => error);
  givenUp.abort();
  expect(await first).toBe('read');
  expect(await second).toBeInstanceOf(Error);
  expect(await read()).toBe('read');
  expect(gateway.caps).toEqual([0.01, 0.01]);
});
