import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fails, refuses } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { type OcrFields, ocrBody } from '../../house/ocr-body.ts';
import { makePdf, type PdfPage } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';

const scored = (hard_score: number) => ({ benchmark: { hard_score, easy_score: 99, measured_at: '2026-11-01' } });
const house = await openHouse({
  engines: {
    layers: { adapter: 'pdf-text', native_pdf: true, page_range: true, ...scored(70), price_per_page_usd: 0.002 },
    scans: { price_per_page_usd: 0.03 },
    spare: { ...scored(72), price_per_page_usd: 0.002, provider_cost_per_page_usd: 0.001 },
    reader: scored(40),
    comparable: { ...scored(41), price_per_page_usd: 0.008 },
    pictures: { accepts: ['url', 'png', 'jpeg'], price_per_page_usd: 0.03 },
    tiffs: { accepts: ['url', 'base64', 'tiff'], price_per_page_usd: 0.03 },
    wholes: { accepts: ['url', 'base64', 'png'], native_pdf: true, price_per_page_usd: 0.03 },
    single: { max_pages_per_request: 1, price_per_page_usd: 0.03 },
  },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const jpeg = await pictureAs('jpeg', { width: 400, height: 600 });
const typed: PdfPage = { text: 'This page carries its own text.\nNothing has to be recognised here.' };
const scanned: PdfPage = { picture: { jpeg, width: 400, height: 600 } };

async function read(pages: PdfPage[], fields: OcrFields, engine = 'layers') {
  const { accountId, caller } = await house.account({ credit: 1 });
  const document = makePdf(pages);
  const reply = await caller.ocr(
    ocrBody(engine, document, { page_count: pages.length, settings: { dpi: 72 }, ...fields }),
  );
  return { accountId, reply, body: reply.body };
}

describe('`fallback_engine` and `fallback` in one request', () => {
  const both = { fallback_engine: 'scans', fallback: 'similar' };

  it('scanned pages go to the one; where it reads them there is nothing to retry', async () => {
    const { accountId, body } = await read([typed, scanned], both);
    expect(body).toMatchObject({ status: 'succeeded', engine: 'layers', pages: 2, cost_debited: 0.032 });
    expect(body.extracted_text).toMatch(/own text[\s\S]*read by scans/);
    expect(body.metadata ?? {}).not.toHaveProperty('fallback');
    expect(house.engines.calls('spare')).toEqual([]);
    await expectBalance(house, accountId, 0.968);
  });

  it.each([
    ['refuses', refuses('No.'), 0.004],
    ['fails for a moment', fails(503, 'later'), 0],
  ] as const)(
    'the whole request goes to the engine comparable to the requested one when it %s',
    async (_name, answer, refused) => {
      house.engines.script('scans', answer);
      const { accountId, body } = await read([typed, scanned], both);
      const charge = 0.004 + refused; // both pages at 0.002, and what the refusal cost
      expect(body).toMatchObject({ status: 'succeeded', engine: 'spare', pages: 2, cost_debited: charge });
      expect(body.extracted_text?.split('\n\n---\n\n')).toEqual(['read by spare', 'read by spare']);
      expect(body.metadata?.['fallback']).toMatchObject({ requested_engine: 'layers', used_engine: 'spare' });
      expect(house.engines.calls('scans')).toHaveLength(1);
      expect(house.engines.calls('spare')).toHaveLength(2);
      await expectBalance(house, accountId, 1 - charge);
    },
  );

  it('keeps the pages that were read when the second attempt fails, too', async () => {
    house.engines.script('scans', refuses('No.'));
    house.engines.script('spare', refuses('Nor I.'));
    const { accountId, body } = await read([typed, scanned], both);
    const charge = 0.002 + 0.004 + 2 * 0.001; // the page that was read, and the providers' cost of three refusals
    expect(body).toMatchObject({ status: 'partial', engine: 'layers', cost_debited: charge });
    expect(body.extracted_text_preview).toContain('carries its own text');
    expect(body.provider_error).toMatch(/spare failed as well/);
    await expectBalance(house, accountId, 1 - charge);
  });

  it('asks the retry’s engine alone when the pages are to be skipped', async () => {
    const { body } = await read([typed, scanned], { ...both, scanned_handling: 'skip' });
    expect(body).toMatchObject({ status: 'succeeded', engine: 'layers', cost_debited: 0.004 });
    expect([...house.engines.calls('scans'), ...house.engines.calls('spare')]).toEqual([]);
  });

  it('does not retry what the caller wants to be an error', async () => {
    const { accountId, reply } = await read([typed, scanned], { fallback: 'similar', scanned_handling: 'error' });
    expectError(reply, 422, 'unprocessable_entity', /\b2\b/);
    expect(house.engines.calls('spare')).toEqual([]);
    await expectBalance(house, accountId, 1);
  });

  it.each([
    [{}, /Set `fallback_engine`, and `scanned_handling` to `fallback`, to read them\.$/],
    [{ fallback_engine: 'scans' }, /Set `scanned_handling` to `fallback` to have `scans` read them\.$/],
  ])('says what would read them, beyond what is set: %j', async (fields, advice) => {
    const { reply } = await read([typed, scanned], { ...fields, scanned_handling: 'error' });
    expectError(reply, 422, 'unprocessable_entity', advice);
  });

  it('is a retry as usual for an engine that recognises pictures; scanned_handling is ignored with a warning', async () => {
    house.engines.script('reader', refuses('No.'));
    const fields = { ...both, scanned_handling: 'fallback' };
    const { accountId, body } = await read([scanned], fields, 'reader');
    expect(body).toMatchObject({ status: 'succeeded', engine: 'comparable', cost_debited: 0.01 });
    expect(body.warnings?.join(' ')).toMatch(/scanned_handling was ignored/);
    expect(house.engines.calls('scans')).toEqual([]);
    await expectBalance(house, accountId, 0.99); // what `reader` charges, whatever `scans` would have
  });
});

describe('a `fallback_engine` that does not take the scanned pages is not called and costs nothing', () => {
  it.each([
    [
      'neither PDF nor PNG',
      'tiffs',
      [typed, scanned],
      /Page 2 failed: Engine "tiffs" does not read pdf; it reads tiff\./,
    ],
    [
      'PDF as it is by `native_pdf`, and not by `accepts`',
      'wholes',
      [typed, scanned],
      /Page 2 failed: Engine "wholes" does not read pdf; it reads png\./,
    ],
    [
      'fewer pages',
      'single',
      [typed, scanned, scanned],
      /Page 3 failed: Engine "single" reads 1 page of a request at most, and 2 are for it\./,
    ],
  ])('what has text of its own is read and sold: one that takes %s', async (_name, id, pages, why) => {
    const { accountId, reply, body } = await read(pages, { fallback_engine: id });
    expect([reply.status, body.status, body.engine, body.pages]).toEqual([200, 'partial', 'layers', 1]);
    expect(body.warnings?.join(' ')).toMatch(why);
    expect(body.extracted_text_preview).toContain('carries its own text');
    expect(body.cost_debited).toBe(0.002);
    expect(house.engines.calls(id)).toEqual([]);
    await expectBalance(house, accountId, 0.998);
  });

  it('a document that is scanned throughout is 422, as one that its engine does not read', async () => {
    const { accountId, reply } = await read([scanned, scanned], { fallback_engine: 'tiffs', fallback: 'similar' });
    expectError(reply, 422, 'unprocessable_entity', /Engine "tiffs" does not read pdf; it reads tiff\./);
    expect([...house.engines.calls('tiffs'), ...house.engines.calls('spare')]).toEqual([]);
    await expectBalance(house, accountId, 1);
  });

  it('of which an estimate says the same', async () => {
    const { caller } = await house.account();
    const estimate = async (pages: PdfPage[]) =>
      caller.call<{ warnings?: string[] }>('POST', '/v1/ocr/estimate', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ocrBody('layers', makePdf(pages), { page_count: pages.length, fallback_engine: 'tiffs' })),
      });
    expectError(await estimate([scanned]), 422, 'unprocessable_entity', /"tiffs" does not read pdf/);
    const mixed = await estimate([typed, scanned]);
    expect([mixed.status, mixed.body.warnings]).toEqual([
      200,
      ['Page 2 is scanned and would not be read: Engine "tiffs" does not read pdf; it reads tiff.'],
    ]);
    expect((await estimate([typed])).body.warnings).toEqual([]);
  });

  it('nor is anything said of it where no page is scanned', async () => {
    const { body } = await read([typed], { fallback_engine: 'tiffs' });
    expect(body).toMatchObject({ status: 'succeeded', cost_debited: 0.002 });
    expect(body).not.toHaveProperty('warnings');
  });

  it('nor is its price held or told as the worst: it never reads', async () => {
    const { caller } = await house.account({ credit: 0.01 });
    const body = ocrBody('layers', makePdf([typed]), { fallback_engine: 'tiffs', max_cost_usd: 0.01 });
    const { body: told } = await caller.call<{ reserved_usd: number; worst_case_usd: number; covered: boolean }>(
      'POST',
      '/v1/ocr/estimate',
      { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
    expect(told).toMatchObject({ reserved_usd: 0.002, worst_case_usd: 0.002, covered: true });
    expect((await caller.ocr(body)).body).toMatchObject({ status: 'succeeded', cost_debited: 0.002 });
  });

  it.each([
    ['as many pages as it may', 'single'],
    ['pages that are drawn for it, by whichever way the document came', 'pictures'],
  ])('takes %s', async (_what, id) => {
    const { body } = await read([typed, scanned], { fallback_engine: id });
    expect(body).toMatchObject({ status: 'succeeded', cost_debited: 0.032 });
  });
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});
