import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ocrBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse('several');

const askew = await readFile(new URL('../../../accuracy/corpus/hard/skew.png', import.meta.url));

it('says what was done to a page so that it reads better, also when it is asked for again', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(ocrBody('tesseract', askew));
  expect(body.metadata).toEqual({ preprocessing: [{ page: 1, steps: ['deskewed'] }] });
  expect((await caller.get(`/v1/ocr/${body.request_id}`)).body.metadata).toEqual(body.metadata);
});

it('leaves a page as it is with `preprocess` = `off`, which is another request', async () => {
  const { caller } = await house.account();
  const key = { headers: { 'idempotency-key': 'the-same-key' } };
  const off = await caller.ocr(ocrBody('tesseract', askew, { settings: { preprocess: 'off' } }), key);
  expect(off.status).toBe(200);
  expect(off.body).not.toHaveProperty('metadata');
  expect((await caller.ocr(ocrBody('tesseract', askew), key)).status).toBe(409);
});

it('refuses any other word', async () => {
  const { caller } = await house.account();
  const { status, body } = await caller.ocr(ocrBody('tesseract', askew, { settings: { preprocess: 'on' } }));
  expect(status).toBe(400);
  expect(body.error?.message).toContain('preprocess');
});

it.each([
  ['easyocr', 'image', { results: [{ text: 'Text', confidence: 0.9 }] }],
  ['paddle', 'file', { result: { ocrResults: [{ prunedResult: { rec_texts: ['Text'] } }] } }],
])('gives %s lines that are straight, and leaves them askew with `off`', async (engine, field, answer) => {
  const { caller } = await house.account();
  house.engines.script(engine, { kind: 'json', status: 200, body: answer });
  const { width } = await sharp(askew).metadata();
  const { body } = await caller.ocr(ocrBody(engine, askew));
  expect(body.metadata).toEqual({ preprocessing: [{ page: 1, steps: ['deskewed'] }] });
  const sentWidth = async () => {
    const sent = house.engines.calls(engine).at(-1)?.body[field];
    return (await sharp(Buffer.from(String(sent), 'base64')).metadata()).width;
  };
  expect(await sentWidth()).toBeGreaterThan(width); // turned, it takes a larger sheet
  const off = await caller.ocr(ocrBody(engine, askew, { settings: { preprocess: 'off' } }));
  expect(off.body).not.toHaveProperty('metadata');
  expect(await sentWidth()).toBe(width);
});

it('leaves lines to models as they are', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(ocrBody('reader', askew));
  expect(body).toMatchObject({ status: 'succeeded' });
  expect(body).not.toHaveProperty('metadata');
});
