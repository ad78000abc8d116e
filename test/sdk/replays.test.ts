import { OcrRouter } from '@ocr-router/client';
import { expect, it } from 'vitest';

const RESULT = { request_id: 'ocr_1', status: 'succeeded', cost_debited: 0.01, extracted_text: 'a page' };
const replay = () => Response.json(RESULT, { headers: { 'Idempotent-Replayed': 'true' } });
const putOff = () =>
  Response.json(
    { error: { code: 'rate_limited', message: 'Later.' } },
    { status: 429, headers: { 'Retry-After': '0' } },
  );
const lost = () => Promise.reject(new TypeError('other side closed'));

/** Whether the client takes its outcome for that of an earlier call, when a gateway answers so. */
async function isReplay(...answers: (() => Response | Promise<Response>)[]): Promise<boolean> {
  let heard = false;
  const fetch = async () => (answers.shift() ?? replay)();
  const client = new OcrRouter({ url: 'http://gateway', apiKey: 'sk', fetch });
  const onReplay = () => {
    heard = true;
  };
  await client.read('https://example.com/page.png', { idempotencyKey: 'a', onReplay });
  return heard;
}

it('an outcome is a replay where an earlier call has begun it, and not where this one may have', async () => {
  expect(await isReplay(() => Response.json(RESULT))).toBe(false);
  expect(await isReplay(replay)).toBe(true);
  expect(await isReplay(putOff, replay)).toBe(true); // nothing was begun when it was put off
  expect(await isReplay(lost, replay)).toBe(false); // the answer of this call may be what was lost
  expect(await isReplay(lost, putOff, replay)).toBe(false);
});
