import { beforeEach, expect, it } from 'vitest';
import { says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf, type PdfPage } from '../../house/pdf.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

const typed: PdfPage = { text: 'This page carries its own text.' };
const drawn: PdfPage = { content: '0 g 100 300 300 40 re f 100 400 m 400 450 l S\n' };
const blank: PdfPage = {};

async function read(engine: string, pages: PdfPage[]) {
  const { accountId, caller } = await house.account({ credit: 1 });
  const reply = await caller.ocr(ocrBody(engine, makePdf(pages), { page_count: pages.length }));
  return { accountId, status: reply.status, body: reply.body };
}

it('a drawing without text is refunded by pdf-text, and costs nothing', async () => {
  const { accountId, status, body } = await read('pdf-text', [drawn]);
  expect([status, body.status, body.cost_debited]).toEqual([202, 'refunded', 0]);
  expect(body.provider_error).toMatch(/returned no text: what is on the page is drawn/);
  await expectBalance(house, accountId, 1);
});

it('a page without anything on it is blank, and a success', async () => {
  const { status, body } = await read('pdf-text', [blank]);
  expect([status, body.status, body.extracted_text]).toEqual([200, 'succeeded', '']);
  expect(body.warnings?.join(' ')).toMatch(/blank/);
});

it('among other pages, the drawing fails and the blank page does not', async () => {
  const { status, body } = await read('pdf-text', [typed, blank, drawn]);
  expect([status, body.status, body.cost_debited]).toEqual([200, 'partial', 0.0004]);
  expect(body.warnings?.join(' ')).toMatch(/Page 2 is blank\..*Page 3 failed: The engine returned no text/);
});

it('is told apart for engines that read whole PDFs, too', async () => {
  house.engines.script('whole', says(''));
  expect((await read('whole', [drawn])).body).toMatchObject({ status: 'refunded', cost_debited: 0.004 });
  expect((await read('whole', [blank])).body).toMatchObject({ status: 'succeeded', cost_debited: 0.01 });
});
