import { beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../../house/expect-error.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { picture } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

describe('rule 3: the comparison is on the effective request', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'defaults that are spelled out',
      {},
      { page_count: 1, output_format: 'json', mode: 'sync', settings: { language: 'en', dpi: 300 } },
    ],
    ['a fallback that is off', {}, { fallback: 'off' }],
    ['false for off', { fallback: 'off' }, { fallback: false }],
    ['true for similar', { fallback: true }, { fallback: 'similar' }],
    ['the other place of detect_tables', { options: { detect_tables: true } }, { settings: { detect_tables: true } }],
    ['an unknown field', {}, { colour: 'blue' }],
    [
      'objects in another order',
      { native_settings: { a: 1, b: { c: 2, d: 3 } } },
      { native_settings: { b: { d: 3, c: 2 }, a: 1 } },
    ],
  ])('%s: replays', async (_name, first, second) => {
    const { caller } = await house.account();
    const body = await pictureBody();
    const one = await caller.ocr({ ...body, ...first }, { key: 'k' });
    const two = await caller.ocr({ ...body, ...second }, { key: 'k' });
    expect([one.status, two.status], two.text).toEqual([200, 200]);
    expect(two.body.request_id).toBe(one.body.request_id);
    expect(two.headers['idempotent-replayed']).toBe('true');
  });

  it('other line breaks in the base64 and another MIME type hint: replays', async () => {
    const { caller } = await house.account();
    const bytes = await picture();
    const data_base64 = bytes.toString('base64').replace(/.{20}/g, '$&\n');
    const one = await caller.ocr(ocrBody('reader', bytes), { key: 'k' });
    const input = { type: 'base64', data_base64, mime_type: 'image/png' };
    const two = await caller.ocr({ engine: 'reader', input }, { key: 'k' });
    expect(two.body.request_id).toBe(one.body.request_id);
  });

  it('arrays in another order are another request', async () => {
    const { caller } = await house.account();
    const body = await pictureBody();
    await caller.ocr({ ...body, native_settings: { stop: ['a', 'b'] } }, { key: 'k' });
    const two = await caller.ocr({ ...body, native_settings: { stop: ['b', 'a'] } }, { key: 'k' });
    expectError(two, 409, 'idempotency_key_reused');
  });
});
