import { afterAll, beforeEach, expect, it } from 'vitest';
import type { ErrorAnswer, StatsAnswer } from '../../house/answers.ts';
import { fails, refuses } from '../../house/engine-answers.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { until } from '../../house/until.ts';

const house = await openHouse({ engines: { reader: {} } });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

const stats = () => house.stranger.get<StatsAnswer & ErrorAnswer>('/v1/engines/reader/stats');

it('callers’ errors never count against an engine, its own do', async () => {
  const { caller } = await house.account();
  await caller.ocr(ocrBody('reader', Buffer.from('a note')));
  await caller.ocr(await pictureBody('reader', { page_count: 0 }));
  house.engines.script('reader', fails(400, 'The image could not be parsed', 'image_parse_error'));
  await caller.ocr(await pictureBody());
  expect((await stats()).status).toBe(404);

  house.engines.script('reader', fails(400, 'top_p must be a number'));
  await caller.ocr(await pictureBody('reader', { native_settings: { top_p: 'high' } }));
  house.engines.script('reader', refuses('No.'));
  await caller.ocr(await pictureBody());
  const blameless = await until('two calls are counted', async () => {
    const { status, body } = await stats();
    return status === 200 && body.total_requests === 2 && body;
  });
  expect(blameless.error_rate).toBe(0);

  house.engines.script('reader', fails(400, 'odd'));
  await caller.ocr(await pictureBody());
  const blamed = await until('three calls are counted', async () => {
    const { body } = await stats();
    return body.total_requests === 3 && body;
  });
  expect(blamed.error_rate).toBeCloseTo(1 / 3, 3);
});
