import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { OcrAnswer } from '../../house/answers.ts';
import { ENDLESS_PAGE, nestedGroups, UNDRAWABLE_PAGE, withBrokenFrame } from '../../house/broken-documents.ts';
import { fails, filters } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { ask } from '../../house/graphql.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { AT_72_DPI } from '../../house/page-sizes.ts';
import { makePdf, type PdfPage } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';
import { makeTiff } from '../../house/tiff.ts';
import { until } from '../../house/until.ts';

const house = await openHouse({
  // A page that breaks its thread does so however long a busy machine takes.
  env: { PDF_TIMEOUT_MS: '170000', SLOW_RESPONSE_MS: '170000' },
  engines: {
    reader: { concurrency: 1 },
    wide: { max_pages_per_request: 50 },
    asked: { benchmark: { hard_score: 80, easy_score: 99, measured_at: '2026-11-01' } },
    spare: { benchmark: { hard_score: 80, easy_score: 99, measured_at: '2026-11-01' }, price_per_page_usd: 0.008 },
  },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

/** Pages with text but for those that cannot be drawn. */
function pdf(pages: number, undrawable: readonly number[]): Buffer {
  const page = (number: number): PdfPage =>
    undrawable.includes(number) ? UNDRAWABLE_PAGE : { size: [100, 80], content: '10 10 40 40 re f\n' };
  return makePdf(Array.from({ length: pages }, (_, i) => page(i + 1)));
}

function body(engine: string, document: Buffer, pages: number, fields: object = {}) {
  return ocrBody(engine, document, { ...AT_72_DPI, page_count: pages, ...fields });
}

describe('a page that cannot be drawn', () => {
  it('is a failed page: those beside it are read, kept and charged, and it costs nothing itself', async () => {
    const { accountId, apiKey, caller } = await house.account({ credit: 1 });
    const { status, body: answer } = await caller.ocr(body('reader', pdf(6, [6]), 6));
    expect([status, answer.status, answer.pages, answer.cost_debited]).toEqual([200, 'partial', 5, 0.05]);
    expect(answer.extracted_text_preview?.split('\n\n---\n\n')).toHaveLength(5);
    expect(answer.warnings?.join(' ')).toMatch(/Page 6 failed: .*too many pixels/);
    expect(house.engines.calls('reader')).toHaveLength(5);
    const { data } = await ask<{ request: unknown }>(
      house.callerWith(apiKey),
      `{ request(id: "${answer.request_id}") { attempts { engine outcome pages billing } pageResults { number state code cost } } }`,
    );
    expect(data.request).toMatchObject({
      attempts: [{ engine: 'reader', outcome: 'ok', pages: 5, billing: 'none' }],
      pageResults: [{}, {}, {}, {}, {}, { number: 6, state: 'failed', code: 'unprocessable_entity', cost: 0 }],
    });
    await expectBalance(house, accountId, 0.95);
  });

  it('does not end the request when it is the first', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const { body: answer } = await caller.ocr(body('reader', pdf(4, [1]), 4));
    expect(answer).toMatchObject({ status: 'partial', pages: 3, cost_debited: 0.03 });
    await expectBalance(house, accountId, 0.97);
  });

  it('costs what the calls for the others cost when none of them is read', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', filters());
    const { status, body: answer } = await caller.ocr(body('reader', pdf(3, [2]), 3));
    expect([status, answer.status, answer.cost_debited]).toEqual([202, 'refunded', 0.008]);
    await expectBalance(house, accountId, 0.992);
  });

  it('leaves an error of the engine an error of the engine', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('reader', fails(500, 'odd'));
    expectError(await caller.ocr(body('reader', pdf(2, [1]), 2)), 502, 'provider_error');
    await expectBalance(house, accountId, 1);
  });

  it('is a document that no one can read when there is no other: 422, and nothing is charged', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    expectError(await caller.ocr(body('reader', pdf(1, [1]), 1)), 422, 'unprocessable_entity');
    expectError(await caller.ocr(body('reader', pdf(3, [1, 2, 3]), 3)), 422, 'unprocessable_entity');
    expect(house.engines.calls('reader')).toEqual([]);
    await expectBalance(house, accountId, 1);
  });

  it('keeps the first attempt of a retry on the books, whatever it does to the second', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    house.engines.script('asked', filters());
    const { body: answer } = await caller.ocr(body('asked', pdf(2, [2]), 2, { fallback: true }));
    expect(answer).toMatchObject({ status: 'partial', engine: 'spare', pages: 1, cost_debited: 0.012 });
    await expectBalance(house, accountId, 0.988);
  });

  it('may break the thread that draws it: those beside it are drawn by another', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const page: PdfPage = { size: [100, 80], content: '10 10 40 40 re f\n' };
    const document = nestedGroups({ before: [page], after: [page] });
    const { status, body: answer } = await caller.ocr(body('reader', document, 3));
    expect([status, answer.status, answer.pages, answer.cost_debited]).toEqual([200, 'partial', 2, 0.02]);
    expect(answer.warnings?.join(' ')).toMatch(/Page 2 failed: .*corrupt or too complex/);
    expect(house.engines.calls('reader')).toHaveLength(2);
    await expectBalance(house, accountId, 0.98);
  });

  it('is a frame of a TIFF, too', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const tiff = withBrokenFrame(
      makeTiff([
        [90, 60],
        [91, 60],
        [92, 60],
      ]),
      2,
    );
    const { body: answer } = await caller.ocr(ocrBody('reader', tiff, { page_count: 3 }));
    expect(answer).toMatchObject({ status: 'partial', pages: 2, cost_debited: 0.02 });
    expect(answer.warnings?.join(' ')).toMatch(/Page 2 failed/);
    await expectBalance(house, accountId, 0.98);
  });

  it('of a large job is named among its failed pages', async () => {
    const { accountId, caller } = await house.account({ credit: 1 });
    const jpeg = await pictureAs('jpeg');
    const scan: PdfPage = { size: [100, 80], picture: { jpeg, width: 64, height: 48 } };
    const scans = makePdf(Array.from({ length: 22 }, (_, i) => (i === 4 ? UNDRAWABLE_PAGE : scan)));
    const accepted = await caller.ocr(body('wide', scans, 22, { mode: 'async' }));
    const statusUrl = accepted.body.poll_url ?? '';
    expect(statusUrl).toMatch(/\/jobs\//);
    const ended = await until('the job ends', async () => {
      const { body: now } = await caller.get<OcrAnswer & { pages_failed: unknown[] }>(statusUrl);
      return now.status !== 'processing' && now.status !== 'queued' && now;
    });
    expect(ended).toMatchObject({
      status: 'partial',
      pages_failed: [{ page: 5, code: 'unprocessable_entity', message: expect.stringMatching(/too many pixels/) }],
    });
    await expectBalance(house, accountId, 1 - 0.21);
  });
});

it('a page that is drawn for too long is a failed page as well', async () => {
  await using slow = await openHouse({ env: { PDF_TIMEOUT_MS: '3000' } });
  const { accountId, caller } = await slow.account({ credit: 1 });
  const page: PdfPage = { size: [100, 80], content: '10 10 40 40 re f\n' };
  const { status, body: answer } = await caller.ocr(
    ocrBody('reader', makePdf([page, ENDLESS_PAGE, page]), { dpi: 300, page_count: 3 }),
  );
  expect([status, answer.status, answer.pages, answer.cost_debited]).toEqual([200, 'partial', 2, 0.02]);
  expect(answer.warnings?.join(' ')).toMatch(/Page 2 failed: .*too long/);
  expect(slow.engines.calls('reader')).toHaveLength(2);
  await expectBalance(slow, accountId, 0.98);
});
