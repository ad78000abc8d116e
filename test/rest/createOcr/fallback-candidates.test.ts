import { afterAll, beforeEach, expect, it } from 'vitest';
import type { EngineEntry } from '../../../server/src/engines/engines-file.ts';
import { fails, refuses } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages } from '../../house/page-sizes.ts';

const scored = (hard_score: number) => ({ benchmark: { hard_score, easy_score: 99, measured_at: '2026-11-01' } });

/** What keeps an engine from being comparable that is comparable in everything else. */
const NEARLY: Record<string, Partial<EngineEntry>> = {
  'of the same provider': { provider: 'provider-of-asked' },
  'more than 5 points worse': scored(74.9),
  'more than 5 points better': scored(85.1),
  'dearer by the page': { price_per_page_usd: 0.0101 },
  'never measured': { benchmark: null },
  disabled: { enabled: false },
  'not configured': { model: null },
  'not for this format': { accepts: ['url', 'base64', 'tiff', 'pdf'] },
  'not for documents in the body': { accepts: ['url', 'png', 'jpeg', 'pdf'] },
};
/** All of them at once: none may be taken. */
const nearly = Object.fromEntries(
  Object.values(NEARLY).map((differs, i) => [`nearly-${i}`, { ...scored(80), ...differs }]),
);
const house = await openHouse({ engines: { asked: scored(80), ...nearly } });
const withShort = await openHouse({
  engines: { asked: scored(80), short: { ...scored(75), max_pages_per_request: 2 } },
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await withShort[Symbol.asyncDispose]();
});
beforeEach(() => {
  house.engines.reset();
  withShort.engines.reset();
});

it(`takes no engine that is ${Object.keys(NEARLY).join(', or ')}`, async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('asked', refuses('No.'));
  const { status, body } = await caller.ocr(await pictureBody('asked', { fallback: 'similar' }));
  expect([status, body.status, body.engine, body.cost_debited]).toEqual([202, 'refunded', 'asked', 0.004]);
  expect(body.provider_error).toMatch(/No comparable engine/);
  for (const id of Object.keys(nearly)) expect(house.engines.calls(id)).toEqual([]);
  await expectBalance(house, accountId, 0.996);
});

it('says without `fallback` that there would have been none', async () => {
  const { caller } = await house.account();
  house.engines.script('asked', refuses('No.'));
  expect((await caller.ocr(await pictureBody('asked'))).body.provider_error).toMatch(/No comparable engine/);
});

it('takes an engine exactly 5 points away, as long as the pages are not too many for it', async () => {
  const { accountId, caller } = await withShort.account({ credit: 1 });
  withShort.engines.script('asked', refuses('No.'));
  const pdf = pdfOfPages(3);
  const two = await caller.ocr(ocrBody('asked', pdf, { ...AT_72_DPI, fallback: true, page_count: 2 }));
  expect(two.body).toMatchObject({ status: 'succeeded', engine: 'short', pages: 2, cost_debited: 0.02 });
  const three = await caller.ocr(ocrBody('asked', pdf, { ...AT_72_DPI, fallback: true, page_count: 3 }));
  expect(three.body).toMatchObject({ status: 'refunded', engine: 'asked', cost_debited: 0.012 });
  expect(three.body.provider_error).toMatch(/No comparable engine/);
  await expectBalance(withShort, accountId, 0.968);
});

it('names in a refusal the engine that would have been used', async () => {
  const { caller } = await withShort.account();
  withShort.engines.script('asked', refuses('No.'));
  const { body } = await caller.ocr(await pictureBody('asked'));
  expect(body.provider_error).toMatch(/`fallback` = `similar`, short would have been used/);
  expect(withShort.engines.calls('short')).toEqual([]);
});

it('does not try again what the engine says no one could read', async () => {
  const { accountId, caller } = await withShort.account({ credit: 1 });
  withShort.engines.script('asked', fails(400, 'The image could not be parsed', 'image_parse_error'));
  const body = await pictureBody('asked', { fallback: 'similar' });
  expectError(await caller.ocr(body, { key: 'k' }), 422, 'unprocessable_entity');
  expect(withShort.engines.calls('short')).toEqual([]);
  withShort.engines.reset();
  expect((await caller.ocr(body, { key: 'k' })).body).toMatchObject({ status: 'succeeded', engine: 'asked' });
  await expectBalance(withShort, accountId, 0.99);
});

it('does not ask any engine about a document that is none', async () => {
  const { caller } = await withShort.account();
  const reply = await caller.ocr(ocrBody('asked', Buffer.from('a note'), { fallback: 'similar' }));
  expectError(reply, 422, 'unprocessable_entity');
  expect([...withShort.engines.calls('asked'), ...withShort.engines.calls('short')]).toEqual([]);
});

it('leaves ledgers that add up', async () => {
  for (const one of [house, withShort]) expect(await one.admin.doctor()).toMatchObject({ ok: true });
});
