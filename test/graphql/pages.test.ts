import { expect, it } from 'vitest';
import { ask } from '../house/graphql.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
const { caller } = await house.account();
const PDF = makePdf(Array.from({ length: 5 }, (_, index) => ({ text: `page ${index + 1}` })));
const sent = await caller.ocr(ocrBody('pdf-text', PDF, { page_count: 5, include: ['words'] }));
const id = sent.body.request_id;

interface PageList {
  readonly nodes: { number: number; lines: { words?: unknown[] }[] | null }[];
  readonly total: number;
  readonly pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}

async function listed(args: string, include = ''): Promise<PageList> {
  const fields = 'nodes { number lines } total pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
  const query = `query ($id: ID!) { ocrPages(requestId: $id, ${include} ${args}) { ${fields} } }`;
  const { data, codes } = await ask<{ ocrPages: PageList }>(caller, query, { id });
  expect(codes).toEqual([]);
  return data.ocrPages;
}

it('lists the pages of a request by cursors, each part behind the one before', async () => {
  const first = await listed('first: 2');
  expect(first).toMatchObject({ total: 5, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
  expect(first.nodes.map(({ number }) => number)).toEqual([1, 2]);
  const second = await listed(`first: 3, after: "${first.pageInfo.endCursor}"`);
  expect(second.nodes.map(({ number }) => number)).toEqual([3, 4, 5]);
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  // Every cursor is one to go on from.
  const third = await listed(`first: 1, after: "${second.pageInfo.startCursor}"`);
  expect(third.nodes.map(({ number }) => number)).toEqual([4]);
  const beyond = await listed('after: "5"');
  expect(beyond).toMatchObject({ nodes: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } });
});

it.each(['first: 0', 'first: 101', 'after: "x"', 'after: "-1"'])('refuses %s', async (args) => {
  const query = `query ($id: ID!) { ocrPages(requestId: $id, ${args}) { total } }`;
  expect((await ask(caller, query, { id })).codes).toEqual(['invalid_request']);
});

it('has the lines of a page, with their words where they are wanted', async () => {
  const [page] = (await listed('first: 1', 'include: ["words"]')).nodes;
  expect(page?.lines).toEqual(sent.body.page_results?.[0]?.lines);
  expect((await listed('first: 1')).nodes[0]).toEqual(page); // what is selected is shown
  expect((await listed('first: 1', 'include: ["pages"]')).nodes).toEqual([{ number: 1, lines: null }]);
  const query = 'query ($id: ID!) { ocrRequest(id: $id) { includedPages { lines(words: false) } } }';
  type Answer = { ocrRequest: { includedPages: { lines: object[] }[] } };
  const { data } = await ask<Answer>(caller, query, { id });
  expect(data.ocrRequest.includedPages[0]?.lines[0]).toEqual({ text: 'page 1', polygon: expect.any(Array) });
});

it('shows operators no text, line or table of another account’s pages', async () => {
  const table = '| Secret | Sum |\n|---|---|\n| fox | 42 |';
  const { body } = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: table }]), { include: ['words', 'tables'] }));
  const operator = await house.account({ scopes: ['operator'] });
  const fields = '{ state text lines plain: lines(words: false) withWords: lines(words: true) tables }';
  const query = `query ($id: ID!) { request(id: $id) { extractedText includedPages ${fields} pageResults ${fields} } }`;
  interface Shown {
    request: { includedPages: object[]; pageResults: object[] };
  }
  const own = await ask<Shown>(caller, query, { id: body.request_id });
  const [page] = own.data.request.includedPages;
  expect(page).toMatchObject({ text: table, tables: [{ rows: 2 }], withWords: [{ words: expect.any(Array) }, {}, {}] });
  const seen = await ask<Shown>(operator.caller, query, { id: body.request_id });
  const nothing = { state: 'read', text: null, lines: null, plain: null, withWords: null, tables: null };
  expect(seen.data.request).toEqual({ extractedText: null, includedPages: null, pageResults: [nothing] });
  const list = `{ ocrPages(requestId: "${body.request_id}", include: ["words"]) { nodes { lines } } }`;
  expect((await ask(operator.caller, list)).codes).toEqual(['insufficient_scope']);
});

it('has no included pages of a request that asked for none', async () => {
  const plain = await caller.ocr(ocrBody('pdf-text', PDF));
  const query = 'query ($id: ID!) { ocrRequest(id: $id) { includedPages { number } pageResults { number } } }';
  type Answer = { ocrRequest: { includedPages: object[] | null; pageResults: object[] } };
  const { data } = await ask<Answer>(caller, query, { id: plain.body.request_id });
  expect(data.ocrRequest).toEqual({ includedPages: null, pageResults: [{ number: 1 }] });
});
