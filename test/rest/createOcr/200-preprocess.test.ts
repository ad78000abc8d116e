import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ocrBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

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
