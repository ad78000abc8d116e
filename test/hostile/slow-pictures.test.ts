import { expect, it } from 'vitest';
import { expectError } from '../house/expect-error.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { scannedJpeg } from '../house/scanned-jpeg.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
const { caller } = await house.account();

const SIZE = { width: 400, height: 240 };

it('a picture of a hundred passes is decoded where an engine cannot take it as it is', async () => {
  const sent = scannedJpeg({ ...SIZE, scans: 100, orientation: 6 });
  expect((await caller.ocr(ocrBody('reader', sent))).status).toBe(200);
  const [call] = await house.engines.called('reader');
  expect(await call?.size()).toEqual({ width: 240, height: 400 });
  house.engines.reset();
});

it('one that is upright goes through as it is, undecoded', async () => {
  const sent = scannedJpeg({ ...SIZE, scans: 100 });
  expect((await caller.ocr(ocrBody('reader', sent))).status).toBe(200);
  const [call] = await house.engines.called('reader');
  expect(call?.document.bytes.equals(sent)).toBe(true);
  house.engines.reset();
});

it('one of more passes is refused', async () => {
  const reply = await caller.ocr(ocrBody('reader', scannedJpeg({ ...SIZE, scans: 101 })));
  expectError(reply, 422, 'unprocessable_entity', /more than 100 passes/);
});
