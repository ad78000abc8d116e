import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OcrAnswer } from '../../house/answers.ts';
import { refuses } from '../../house/engine-answers.ts';
import { type OcrFields, ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { pdfOfPages } from '../../house/page-sizes.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse('several');
const { caller } = await house.account();
beforeEach(() => house.engines.reset());

const fixture = (name: string) => readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const TOO_MANY = { native_settings: { max_tokens: 100_000, temperature: 0.5 } };
const LOWERED = { max_tokens: 8192, temperature: 0.5 };

async function applied(body: object, status = 200) {
  const reply = await caller.ocr(body);
  expect(reply.status, reply.text).toBe(status);
  return { body: reply.body, applied: reply.body.applied_settings ?? {} };
}

describe('applied_settings of tesseract', () => {
  const read = async (name: string, fields: OcrFields) => applied(ocrBody('tesseract', await fixture(name), fields));

  it('are without the native settings that were ignored', async () => {
    const { body, applied } = await read('one-word.png', { native_settings: { psm: 99, debug_file: '/tmp/x' } });
    expect(body.warnings).toHaveLength(2);
    expect(applied).not.toHaveProperty('native');
    const more = { native_settings: { psm: 7, tessedit_char_blacklist: '#', debug_file: '/tmp/x' } };
    expect((await read('one-word.png', more)).applied['native']).toEqual({ psm: 7, tessedit_char_blacklist: '#' });
  });

  it('tell the language that native_settings chose', async () => {
    const { body, applied } = await read('korean.png', { native_settings: { lang: 'kor' } });
    expect(body.extracted_text).toMatch(/\p{Script=Hangul}{2}/u);
    expect(applied).toMatchObject({ language: 'ko', language_native: 'kor', native: { lang: 'kor' } });
  });

  it('tell the language that a page was read with where there is no data for the other', async () => {
    const wished = await read('one-word.png', { settings: { language: 'xyz' } });
    expect(wished.applied).toMatchObject({ language: 'xyz', language_native: 'eng' });
    const chosen = await read('one-word.png', { native_settings: { lang: 'xyz' } });
    expect(chosen.applied).toMatchObject({ language: 'en', language_native: 'eng' });
  });

  it('tell the resolution of a page beside the one that the engine was told', async () => {
    const fields = { settings: { dpi: 100 }, native_settings: { dpi: 150 } };
    const { applied: both } = await applied(ocrBody('tesseract', pdfOfPages(1), fields), 202);
    expect(both).toMatchObject({ dpi: 100, native: { dpi: 150 } });
  });
});

describe('applied_settings of a language model', () => {
  it('tell a token limit as it was lowered', async () => {
    const { body, applied: lowered } = await applied(await pictureBody('reader', TOO_MANY));
    expect(house.engines.calls('reader')[0]?.body).toMatchObject(LOWERED);
    expect(lowered['native']).toEqual(LOWERED);
    expect(JSON.stringify(body.metadata)).toContain('lowered to 8192');
  });

  it('are without a token limit that is none', async () => {
    const { applied: ignored } = await applied(await pictureBody('reader', { native_settings: { max_tokens: -5 } }));
    expect(house.engines.calls('reader')[0]?.body).toMatchObject({ max_tokens: 8192 });
    expect(ignored).not.toHaveProperty('native');
  });

  it('tell the limit of one page where each has a call, and of all where they have one', async () => {
    const pages = { page_count: 2, settings: { dpi: 72 }, ...TOO_MANY };
    const { applied: each } = await applied(ocrBody('reader', pdfOfPages(2), pages));
    expect(house.engines.calls('reader').map(({ body }) => body['max_tokens'])).toEqual([8192, 8192]);
    expect(each['native']).toEqual(LOWERED);
    const { applied: whole } = await applied(ocrBody('whole', pdfOfPages(2), pages));
    expect(house.engines.calls('whole').map(({ body }) => body['max_tokens'])).toEqual([16_384]);
    expect(whole['native']).toEqual({ ...LOWERED, max_tokens: 16_384 });
  });

  it('say the same where the call gave no text', async () => {
    house.engines.script('reader', refuses('No.'));
    expect((await applied(await pictureBody('reader', TOO_MANY), 202)).applied['native']).toEqual(LOWERED);
  });

  it('say the same of an item of a batch, and of a request that nobody waits for', async () => {
    const reply = await caller.call<{ results: OcrAnswer[] }>('POST', '/v1/ocr/batch', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ items: [await pictureBody('reader', TOO_MANY)] }),
    });
    const { body } = await caller.ocr(await pictureBody('reader', { ...TOO_MANY, mode: 'async' }));
    for (const { request_id } of [...reply.body.results, body]) {
      const ended = await until('the request ends', async () => {
        const { body: later } = await caller.get<OcrAnswer>(`/v1/ocr/${request_id}`);
        return later.status !== 'processing' && later;
      });
      expect(ended.applied_settings?.['native']).toEqual(LOWERED);
    }
  });
});

it('tells the languages that native_settings chose of an engine that takes a list', async () => {
  house.engines.script('easyocr', {
    kind: 'json',
    status: 200,
    body: { results: [{ text: 'Text', confidence: 0.9 }] },
  });
  const fields = { settings: { language: 'en' }, native_settings: { languages: ['ch_sim', 'en'] } };
  const { applied: chosen } = await applied(await pictureBody('easyocr', fields));
  expect(chosen).toMatchObject({ language: 'zh+en', language_native: ['ch_sim', 'en'] });
});
