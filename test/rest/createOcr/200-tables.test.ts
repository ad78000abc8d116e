import { afterAll, describe, expect, it } from 'vitest';
import { wire } from '../../../server/src/engines/adapters/docling/wire.ts';
import { ScriptedProvider } from '../../../server/src/engines/adapters/wires/scripted-provider.ts';
import type { OcrAnswer, PageAnswer } from '../../house/answers.ts';
import { cutsShort, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { readSql } from '../../house/sql.ts';

const docling = await ScriptedProvider.start();
const house = await openHouse({
  engines: { reader: {}, tables: { adapter: 'docling', base_url: docling.origin, api_key: 'x', probe: false } },
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await docling[Symbol.asyncDispose]();
});
const { caller } = await house.account();

type Page = PageAnswer & { tables?: { index: number; span?: [number, number]; cells: { text: string }[] }[] };
const pagesOf = (answer: OcrAnswer | undefined) => answer?.page_results as Page[] | undefined;

const PIPES = '| Item | Price |\n|---|---|\n| Tea, "green" | 4.00 |';
const HTML = '<table><tr><th colspan="2">Sum</th></tr><tr><td>1</td><td>2<br>3</td></tr></table>';
const TEXT = `𝔘 bill\n\n${PIPES}\n\n${HTML}`;
const single = { row_span: 1, column_span: 1 };
const TABLES = [
  {
    ...{ index: 1, span: [8, 8 + PIPES.length], rows: 2, columns: 2 },
    cells: [
      { row: 1, column: 1, ...single, text: 'Item', header: true },
      { row: 1, column: 2, ...single, text: 'Price', header: true },
      { row: 2, column: 1, ...single, text: 'Tea, "green"', header: false },
      { row: 2, column: 2, ...single, text: '4.00', header: false },
    ],
  },
  {
    ...{ index: 2, span: [10 + PIPES.length, 10 + PIPES.length + HTML.length], rows: 2, columns: 2 },
    cells: [
      { row: 1, column: 1, row_span: 1, column_span: 2, text: 'Sum', header: true },
      { row: 2, column: 1, ...single, text: '1', header: false },
      { row: 2, column: 2, ...single, text: '2\n3', header: false },
    ],
  },
];

describe('a request that asks for tables', () => {
  it('gets those that stand in the text, and the same from GET, the list of pages and GraphQL', async () => {
    house.engines.script('reader', says(TEXT));
    const { body } = await caller.ocr(await pictureBody('reader', { include: ['tables'] }));
    const [page] = pagesOf(body) ?? [];
    expect(page?.tables).toEqual(TABLES);
    const [from, to] = page?.tables?.[1]?.span ?? [];
    expect([...(page?.text ?? '')].slice(from, to).join('')).toBe(HTML);
    expect(page).toMatchObject({ positions: 'none' });
    expect(page).not.toHaveProperty('lines');
    expect(pagesOf((await caller.get<OcrAnswer>(`/v1/ocr/${body.request_id}`)).body)).toEqual(body.page_results);
    const list = await caller.get<{ data: Page[] }>(`/v1/ocr/${body.request_id}/pages?include=tables`);
    expect(list.body.data).toEqual(body.page_results);
    const plain = await caller.get<{ data: Page[] }>(`/v1/ocr/${body.request_id}/pages`);
    expect(plain.body.data[0]).not.toHaveProperty('tables');
  });

  it('has an empty list where there is none, and asks language models to write tables', async () => {
    house.engines.script('reader', says('no table'));
    const { body } = await caller.ocr(await pictureBody('reader', { include: ['tables', 'words'] }));
    expect(pagesOf(body)?.[0]?.tables).toEqual([]);
    expect(JSON.stringify(house.engines.calls('reader').at(-1))).toContain('Markdown table');
  });

  it('gets those that the engine tells apart, with their places', async () => {
    if (wire.tables) docling.script(wire.tables);
    const { body } = await caller.ocr(await pictureBody('tables', { include: ['tables'] }));
    const polygon = [0.1, 0.1, 0.8, 0.1, 0.8, 0.2, 0.1, 0.2];
    expect(pagesOf(body)?.[0]?.tables).toMatchObject([{ index: 1, rows: 1, columns: 2, polygon }]);
    expect(pagesOf((await caller.get<OcrAnswer>(`/v1/ocr/${body.request_id}`)).body)).toEqual(body.page_results);
    const csv = await caller.get(`/v1/ocr/${body.request_id}/output?format=csv`);
    expect(csv.text).toBe('Total,42.00\r\n');
  });

  it('of a page that failed gets none, and each item of a batch asks for itself', async () => {
    const answers = [says(TEXT), cutsShort(PIPES)];
    house.engines.script('reader', () => answers.shift() ?? says(TEXT));
    const pdf = makePdf([{ text: 'one' }, { text: 'two' }]);
    const partial = await caller.ocr(ocrBody('reader', pdf, { include: ['tables'], page_count: 2 }));
    const states = pagesOf(partial.body)?.map(({ state, tables }) => [state, tables?.length]);
    expect(states?.toSorted()).toEqual([
      ['failed', 0],
      ['read', 2],
    ]);
    const reply = await caller.call<{ results: OcrAnswer[] }>('POST', '/v1/ocr/batch', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        items: [
          await pictureBody('reader', { include: ['tables'] }),
          await pictureBody('reader', { include: ['pages'] }),
        ],
      }),
    });
    const [asked, plain] = reply.body.results;
    expect(pagesOf(asked)?.[0]?.tables).toEqual(TABLES);
    expect(pagesOf(plain)?.[0]).not.toHaveProperty('tables');
  });

  it('without history has them in its answer, and nothing of them is kept', async () => {
    const { caller: passing } = await house.account({ history: false });
    if (wire.tables) docling.script(wire.tables);
    const { body } = await passing.ocr(await pictureBody('tables', { include: ['tables'] }));
    expect(pagesOf(body)?.[0]?.tables).toHaveLength(1);
    const rows = await readSql(house.databaseUrl, `select * from page_layout where request_id = '${body.request_id}'`);
    expect(rows).toEqual([]);
  });
});

describe('CSV', async () => {
  house.engines.script('reader', says(TEXT));
  const sent = await caller.ocr(await pictureBody('reader'));
  const path = `/v1/ocr/${sent.body.request_id}/output?format=csv`;
  const FIRST = 'Item,Price\r\n"Tea, ""green""",4.00\r\n';
  const SECOND = 'Sum,\r\n1,"2\n3"\r\n';

  it('has all tables of a result, also of one that did not ask for them', async () => {
    const { status, text, headers } = await caller.get(path);
    expect([status, text]).toEqual([200, `${FIRST}\r\n${SECOND}`]);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe(`attachment; filename="${sent.body.request_id}.csv"`);
  });

  it('has one table where one is asked for', async () => {
    expect((await caller.get(`${path}&page=1&table=2`)).text).toBe(SECOND);
  });

  it.each([
    ['a table that the page does not have', '&page=1&table=3', /^table: page 1 has 2/],
    ['a table without its page', '&table=1', /^table: needs/],
    ['a page that there is not', '&page=2&table=1', /^page/],
    ['a table before the first', '&page=1&table=0', /^table/],
  ])('400 for %s', async (_, query, message) => {
    expectError(await caller.get(path + query), 400, 'invalid_request', message);
  });
});
