import { beforeEach, describe, expect, it } from 'vitest';
import { fails, refuses, says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { type OcrFields, ocrBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pageOf, pdfOfPages, saysItsPage } from '../../house/page-sizes.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { makeTiff } from '../../house/tiff.ts';

const house = await sharedHouse();
beforeEach(() => {
  house.engines.reset();
  house.engines.script('reader', saysItsPage);
});

function threePages(fields: { page_count?: number; settings?: OcrFields } = {}) {
  return ocrBody('reader', pdfOfPages(3), { ...fields, settings: { ...AT_72_DPI.settings, ...fields.settings } });
}

const pagesRead = async () => (await Promise.all(house.engines.calls('reader').map(pageOf))).sort();

describe('page_count', () => {
  it('is 1 by default: only the first page is read and billed, and the answer says so', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const { status, body } = await caller.ocr(threePages());
    expect(status).toBe(200);
    expect(body).toMatchObject({ extracted_text: 'text of page 1', pages: 1, pages_total: 3, cost_debited: 0.01 });
    expect(body.warnings?.length).toBeGreaterThanOrEqual(1);
    expect(await pagesRead()).toEqual([1]);
    await expectBalance(house, accountId, 0.99);
  });

  it('reads so many pages and joins them with a blank line, the rule, and a blank line', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const { body } = await caller.ocr(threePages({ page_count: 3 }));
    expect(body.extracted_text).toBe('text of page 1\n\n---\n\ntext of page 2\n\n---\n\ntext of page 3');
    expect(body).toMatchObject({ pages: 3, pages_total: 3, cost_debited: 0.03 });
    expect(body).not.toHaveProperty('warnings');
    await expectBalance(house, accountId, 0.97);
  });

  it('is not clamped to the document: what was asked for is billed, and a warning tells the truth', async () => {
    const { caller } = await house.account();
    const { body } = await caller.ocr(threePages({ page_count: 5 }));
    expect(body).toMatchObject({ status: 'succeeded', pages: 5, pages_total: 3, cost_debited: 0.05 });
    expect(body.warnings?.length).toBeGreaterThanOrEqual(1);
    expect(await pagesRead()).toEqual([1, 2, 3]);
  });

  it('charges a partial result for the pages that it delivers, not for those that do not exist', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', (_call, nth) => (nth === 1 ? says('read') : refuses('No.')));
    const { body } = await caller.ocr(ocrBody('reader', pdfOfPages(2), { page_count: 20, ...AT_72_DPI }));
    expect(body).toMatchObject({ status: 'partial', pages: 1, pages_total: 2, cost_debited: 0.014 });
    await expectBalance(house, accountId, 0.986);
  });

  it('is recorded in applied_settings', async () => {
    const { caller } = await house.account();
    const { body } = await caller.ocr(threePages({ page_count: 2 }));
    expect(body.applied_settings).toMatchObject({ page_count: 2, dpi: 72 });
  });
});

describe('settings.page_range', () => {
  it('picks pages, and its length is billed', async () => {
    const { caller } = await house.account();
    const { body } = await caller.ocr(threePages({ settings: { page_range: '1,3' } }));
    expect(body).toMatchObject({ pages: 2, pages_total: 3, cost_debited: 0.02 });
    expect(body.extracted_text).toBe('text of page 1\n\n---\n\ntext of page 3');
    expect(body.applied_settings).toMatchObject({ page_range: '1,3' });
  });

  it('is capped by page_count when both are given', async () => {
    const { caller } = await house.account();
    const { body } = await caller.ocr(threePages({ page_count: 1, settings: { page_range: '2-3' } }));
    expect(body).toMatchObject({ extracted_text: 'text of page 2', pages: 1, cost_debited: 0.01 });
  });

  it('skips pages outside the document with a warning', async () => {
    const { caller } = await house.account();
    const { status, body } = await caller.ocr(threePages({ settings: { page_range: '3-4' } }));
    expect(status).toBe(200);
    expect(body.extracted_text).toBe('text of page 3');
    expect(body.warnings?.join('\n')).toContain('4');
  });
});

describe('when some pages fail', () => {
  it('answers partial and bills the full price for the pages that were read', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', async (call) =>
      (await pageOf(call)) === 2 ? fails(500, 'broken') : saysItsPage(call),
    );
    const { status, body } = await caller.ocr(threePages({ page_count: 3 }));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'partial', extracted_text: null, cost_debited: 0.02 });
    expect(body.extracted_text_preview).toContain('text of page 1');
    expect(body.extracted_text_preview).toContain('text of page 3');
    await expectBalance(house, accountId, 0.98);
  });

  it('adds the provider’s cost for a page that the engine ran on and refused', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', async (call) => ((await pageOf(call)) === 2 ? refuses('no') : saysItsPage(call)));
    const { body } = await caller.ocr(threePages({ page_count: 3 }));
    expect(body).toMatchObject({ status: 'partial', cost_debited: 0.024 });
  });

  it('refunds when no page was read', async () => {
    const { caller } = await house.account();
    house.engines.script('reader', refuses('I will not.'));
    const { status, body } = await caller.ocr(threePages({ page_count: 3 }));
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'refunded', cost_debited: 0.012 });
  });
});

describe('a TIFF', () => {
  const tiff = () =>
    makeTiff([
      [100, 80],
      [200, 80],
      [300, 80],
    ]);

  it('of several pages is a document with pages', async () => {
    const { caller } = await house.account();
    const { body } = await caller.ocr(ocrBody('reader', tiff(), { page_count: 3 }));
    expect(body).toMatchObject({ pages: 3, pages_total: 3, cost_debited: 0.03 });
    expect(body.extracted_text).toBe('text of page 1\n\n---\n\ntext of page 2\n\n---\n\ntext of page 3');
  });

  it('is read on its first page unless more are asked for', async () => {
    const { caller } = await house.account();
    const { body } = await caller.ocr(ocrBody('reader', tiff()));
    expect(body).toMatchObject({ extracted_text: 'text of page 1', pages: 1, pages_total: 3 });
    expect(body.warnings?.length).toBeGreaterThanOrEqual(1);
  });
});

it('reads the pages of one document side by side', async () => {
  const { caller } = await house.account();
  let waiting = 0;
  let meet: () => void = () => {};
  const together = new Promise<void>((resolve) => {
    meet = resolve;
  });
  house.engines.script('reader', async (call) => {
    waiting += 1;
    if (waiting === 2) meet();
    await together; // the first call is answered only once a second one has come
    return saysItsPage(call);
  });
  const { body } = await caller.ocr(threePages({ page_count: 2 }));
  expect(body.status).toBe('succeeded');
  expect(house.engines.mostAtOnce('reader')).toBe(2);
});

it('never calls an engine more often at once than its concurrency', async () => {
  await using narrow = await openHouse({ engines: { narrow: { concurrency: 1 } } });
  const { caller } = await narrow.account();
  narrow.engines.script('narrow', says('one at a time'));
  const { body } = await caller.ocr(ocrBody('narrow', pdfOfPages(3), { ...AT_72_DPI, page_count: 3 }));
  expect(body.pages).toBe(3);
  expect(narrow.engines.mostAtOnce('narrow')).toBe(1);
});
