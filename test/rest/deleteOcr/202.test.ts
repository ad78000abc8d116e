import { expect, it } from 'vitest';
import { silence } from '../../house/engine-answers.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse();

it('a request at work, which is stopped, says that it was asked to, and where to ask again', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', silence);
  const sent = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
  const [call] = await house.engines.called('reader');
  const path = `/v1/ocr/${sent.body.request_id}`;
  const reply = await caller.call('DELETE', path);
  expect(reply.status).toBe(202);
  const shown = { ...sent.body, extracted_text: null };
  expect(reply.body).toEqual({
    ...shown,
    cancel_requested_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  });
  await until('the call is closed', () => call?.aborted);
  await until('there is nothing left to read', async () => (await caller.get(path)).status === 410);
  expect((await caller.call('DELETE', path)).status).toBe(204);
});
