import { beforeEach, expect, it } from 'vitest';
import type { UsageAnswer } from '../../house/answers.ts';
import { refuses } from '../../house/engine-answers.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages } from '../../house/page-sizes.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

it('a new account has its credit and has used nothing', async () => {
  const { caller } = await house.account({ credit: 5 });
  const { status, body } = await caller.get<UsageAnswer>('/v1/usage');
  expect(status).toBe(200);
  expect(body).toEqual({ balance_usd: 5, total_spent_usd: 0, total_requests: 0, total_pages: 0, period: 'all_time' });
});

it('counts requests, pages and what they cost', async () => {
  const { caller } = await house.account({ credit: 5 });
  await caller.ocr(await pictureBody());
  await caller.ocr(ocrBody('reader', pdfOfPages(3), { ...AT_72_DPI, page_count: 3 }));
  const { body } = await caller.get<UsageAnswer>('/v1/usage');
  expect(body).toEqual({
    balance_usd: 4.96,
    total_spent_usd: 0.04,
    total_requests: 2,
    total_pages: 4,
    period: 'all_time',
  });
});

it('counts a replay once', async () => {
  const { caller } = await house.account({ credit: 5 });
  const request = await pictureBody();
  for (const _ of [1, 2, 3]) await caller.ocr(request, { key: 'k' });
  const { body } = await caller.get<UsageAnswer>('/v1/usage');
  expect(body).toMatchObject({ balance_usd: 4.99, total_spent_usd: 0.01, total_requests: 1, total_pages: 1 });
});

it('counts what a failed attempt cost as spent', async () => {
  const { caller } = await house.account({ credit: 5 });
  house.engines.script('reader', refuses('No.'));
  await caller.ocr(await pictureBody());
  const { body } = await caller.get<UsageAnswer>('/v1/usage');
  expect(body).toMatchObject({ balance_usd: 4.996, total_spent_usd: 0.004 });
});

it('is exact to a billionth of a dollar', async () => {
  const { caller } = await house.account({ credit: 1 });
  for (const _ of [1, 2, 3]) await caller.ocr(await pictureBody('cheap'));
  const { body } = await caller.get<UsageAnswer>('/v1/usage');
  expect(body).toMatchObject({ balance_usd: 0.999_999_997, total_spent_usd: 0.000_000_003 });
});

it('counts what was not accepted as nothing', async () => {
  const { caller } = await house.account({ credit: 0.005 });
  await caller.ocr(await pictureBody());
  await caller.ocr({ engine: 'nobody' });
  const { body } = await caller.get<UsageAnswer>('/v1/usage');
  expect(body).toMatchObject({ balance_usd: 0.005, total_spent_usd: 0, total_requests: 0, total_pages: 0 });
});
