import { afterAll, beforeEach, expect, it } from 'vitest';
import { DocumentWeb } from '../../house/document-web.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { type HouseAccount, LOOPBACK_ALLOWED, openHouse } from '../../house/house.ts';
import { ocrBody, urlBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages, saysItsPage } from '../../house/page-sizes.ts';
import { makePdf } from '../../house/pdf.ts';
import { picture } from '../../house/pictures.ts';
import { readSql } from '../../house/sql.ts';

const TOKEN_PRICES = { input_per_million_usd: 1, output_per_million_usd: 2 };
const house = await openHouse({
  env: LOOPBACK_ALLOWED,
  engines: {
    reader: {},
    dear: { price_per_page_usd: 0.02, benchmark: { hard_score: 70, easy_score: 90, measured_at: '2026-11-01' } },
    unknown: { provider_cost_per_page_usd: null },
    tokens: { token_prices: TOKEN_PRICES },
    off: { enabled: false },
    pages: { max_pages_per_request: 2, price_per_page_usd: 0 },
  },
});
const web = await DocumentWeb.start();
afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});
beforeEach(() => house.engines.reset());

interface Estimate {
  readonly [field: string]: unknown;
  readonly reserved_usd: number;
  readonly alternatives: { engine: string; reserved_usd: number; reads_pages?: number }[];
}

async function estimate({ caller }: HouseAccount, body: unknown) {
  return caller.call<Estimate>('POST', '/v1/ocr/estimate', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
}

it('says what would be reserved, and reserves, stores and reads nothing', async () => {
  const account = await house.account({ credit: 0.05 });
  const { status, body, headers } = await estimate(account, ocrBody('reader', pdfOfPages(4), { page_count: 3 }));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: 'estimate',
    engine: 'reader',
    pages_total: 4,
    pages: 3,
    billed_pages: 3,
    reserved_usd: 0.03,
    worst_case_usd: 0.03,
    token_priced: false,
    covered: true,
    balance_usd: 0.05,
    budget_remaining_usd: null,
    obstacle: null,
  });
  expect(headers).toHaveProperty('x-ratelimit-limit');
  expect(house.engines.calls('reader')).toEqual([]);
  await expectBalance(house, account.accountId, 0.05);
  const rows = await readSql(house.databaseUrl, `select 1 from ocr_request where account_id = '${account.accountId}'`);
  expect(rows).toEqual([]);
});

it('is what the request then costs', async () => {
  const account = await house.account();
  house.engines.script('reader', saysItsPage);
  for (const fields of [{}, { page_count: 4 }, { page_count: 6 }, { settings: { dpi: 72, page_range: '2-3' } }]) {
    const sent = ocrBody('reader', pdfOfPages(4), { ...AT_72_DPI, ...fields });
    const { body } = await estimate(account, sent);
    const read = await account.caller.ocr(sent);
    expect(read.body).toMatchObject({ status: 'succeeded', cost_debited: body.reserved_usd });
    expect(read.body.pages_total).toBe(body['pages_total']);
  }
});

it('counts the pages that have text of their own, and says which engines take the document', async () => {
  const account = await house.account();
  const mixed = makePdf([
    { text: 'A page with enough words of its own to be read.' },
    {},
    { text: 'And one more of them.' },
  ]);
  const { body } = await estimate(account, ocrBody('reader', mixed, { page_count: 3 }));
  expect(body).toMatchObject({ pages_total: 3, text_layer_pages: 2 });
  const ids = body.alternatives.map(({ engine }) => engine);
  expect(ids).toContain('pdf-text');
  expect(ids).not.toContain('reader');
  expect(ids).not.toContain('off');
  expect(ids).not.toContain('pages'); // it takes two pages at once
  expect(body.alternatives.find(({ engine }) => engine === 'pdf-text')).toMatchObject({ reads_pages: 2 });
  const prices = body.alternatives.map(({ reserved_usd }) => reserved_usd);
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
});

it('says nothing of text layers of a picture', async () => {
  const { body } = await estimate(await house.account(), ocrBody('reader', await picture()));
  expect(body).not.toHaveProperty('text_layer_pages');
  expect(body).not.toHaveProperty('scanned_pages');
});

it('knows no worst case of tokens, nor where a failed page may cost anything', async () => {
  const account = await house.account();
  const { body } = await estimate(account, ocrBody('tokens', await picture()));
  expect(body).toMatchObject({ worst_case_usd: null, token_priced: true, reserved_usd: 0.01 });
  expect((await estimate(account, ocrBody('unknown', await picture()))).body).toMatchObject({ worst_case_usd: null });
});

it('says what is not covered, and an engine that is off, without refusing', async () => {
  const poor = await house.account({ credit: 0.005 });
  const { status, body } = await estimate(poor, ocrBody('reader', await picture()));
  expect([status, body['covered']]).toEqual([200, false]);
  const off = await estimate(poor, ocrBody('off', await picture()));
  expect(off.status).toBe(200);
  const obstacle = { code: 'disabled', message: 'Engine "off" is switched off.' };
  expect(off.body['obstacle']).toEqual(obstacle);
  const second = await estimate(poor, ocrBody('pdf-text', pdfOfPages(1), { fallback_engine: 'off' }));
  expect(second.body['obstacle']).toEqual(obstacle);
});

it('opens a document at a URL', async () => {
  const account = await house.account();
  const url = web.put('/three.pdf', { bytes: pdfOfPages(3), type: 'application/pdf' });
  expect((await estimate(account, urlBody('reader', url))).body).toMatchObject({ pages_total: 3, billed_pages: 1 });
});
