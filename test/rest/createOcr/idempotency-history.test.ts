import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../house/caller.ts';
import { cutsShort, says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { runSql } from '../../house/sql.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

const NOT_RETAINED = 'The text of this result was not retained: OCR history is or was off.';
const DELETED = 'The text of this result was not retained: it was deleted, or was not to be kept.';

describe('rule 6: replayed text is there only while history is retained', () => {
  it('with history off a replayed success has no text and a warning that it was not retained', async () => {
    const { accountId, caller } = await house.account({ credit: 1, history: false });
    const body = await pictureBody();
    const first = await caller.ocr(body, { key: 'k' });
    expect(first.body).toMatchObject({ status: 'succeeded', extracted_text: 'read by reader' });
    const { status, body: replay } = await caller.ocr(body, { key: 'k' });
    expect(status).toBe(200);
    expect(replay).toMatchObject({ request_id: first.body.request_id, status: 'succeeded', extracted_text: null });
    expect(replay.warning).toBe(NOT_RETAINED);
    await expectBalance(house, accountId, 0.99);
  });

  it('turning history off forgets the text of earlier requests, too', async () => {
    const { accountId, caller } = await house.account();
    const body = await pictureBody();
    await caller.ocr(body, { key: 'k' });
    await house.admin.setHistory(accountId, false);
    const { body: replay } = await caller.ocr(body, { key: 'k' });
    expect(replay).toMatchObject({ status: 'succeeded', extracted_text: null });
    expect(JSON.stringify(replay)).not.toContain('read by reader');
  });

  it('a partial result says that not even its preview was kept, at once and replayed', async () => {
    const { caller } = await house.account({ history: false });
    house.engines.script('reader', cutsShort('the beginning'));
    const body = await pictureBody();
    const first = await caller.ocr(body, { key: 'k' });
    expect(first.body).toMatchObject({ status: 'partial', extracted_text_preview: 'the beginning' });
    expect(first.body.warning).toMatch(
      /^Only part .* Nothing of it was kept: OCR history is or was off, or it was deleted or not to be kept\.$/,
    );
    const { body: replay } = await caller.ocr(body, { key: 'k' });
    expect(replay).toMatchObject({ status: 'partial', warning: first.body.warning });
    expect(JSON.stringify(replay)).not.toContain('the beginning');
  });

  it('a partial result whose preview was forgotten no longer says that it is kept', async () => {
    const { accountId, caller } = await house.account();
    const { body, first } = await readInPart(caller);
    await house.admin.setHistory(accountId, false);
    const { body: replay } = await caller.ocr(body, { key: 'k' });
    expect(replay).toMatchObject({ request_id: first.body.request_id, status: 'partial', warning: NOT_RETAINED });
    expect(replay.provider_error).toBe(first.body.provider_error);
    expect(JSON.stringify(replay)).not.toContain('the beginning');
  });

  it.each([
    ['whole', says('what was read')],
    ['in part', cutsShort('what was read')],
  ])('a deleted result that was read %s says that it was deleted', async (_, answer) => {
    const { caller } = await house.account();
    house.engines.script('reader', answer);
    const body = await pictureBody();
    const first = await caller.ocr(body, { key: 'k' });
    expect((await caller.call('DELETE', `/v1/ocr/${first.body.request_id}`)).status).toBe(204);
    const { body: replay } = await caller.ocr(body, { key: 'k' });
    expect(replay).toMatchObject({ status: first.body.status, extracted_text: null, warning: DELETED });
  });

  it('a result that was not to be kept says so', async () => {
    const { caller } = await house.account();
    const body = { ...(await pictureBody()), store: false };
    await caller.ocr(body, { key: 'k' });
    expect((await caller.ocr(body, { key: 'k' })).body).toMatchObject({ extracted_text: null, warning: DELETED });
  });

  it('a result whose days are over says so, before its text is deleted, too', async () => {
    const { accountId, caller } = await house.account();
    await house.admin.setRetention(accountId, 30);
    house.engines.script('reader', says('what was read'));
    const body = await pictureBody('reader', { include: ['words'] });
    const { request_id: id } = (await caller.ocr(body, { key: 'k' })).body;
    await runSql(
      house.databaseUrl,
      `update ocr_request set finished_at = finished_at - interval '31 days' where id = '${id}'`,
    );
    const { body: replay } = await caller.ocr(body, { key: 'k' });
    expect(replay).toMatchObject({ request_id: id, status: 'succeeded', extracted_text: null });
    expect(replay.warning).toMatch(/the days for which it is kept are over/);
    expect(replay).not.toHaveProperty('retained_until');
    expect(JSON.stringify(replay)).not.toContain('what was read');
  });

  it('a partial result whose days are over says so, and no longer that its preview is kept', async () => {
    const { accountId, caller } = await house.account();
    await house.admin.setRetention(accountId, 30);
    const { body, first } = await readInPart(caller);
    await runSql(
      house.databaseUrl,
      `update ocr_request set finished_at = finished_at - interval '31 days' where id = '${first.body.request_id}'`,
    );
    const { body: replay } = await caller.ocr(body, { key: 'k' });
    expect(replay).toMatchObject({ status: 'partial', extracted_text: null });
    expect(replay.warning).toMatch(/the days for which it is kept are over/);
    expect(JSON.stringify(replay)).not.toContain('the beginning');
  });

  it('a replay without its text is JSON, whatever format was asked for', async () => {
    const { caller } = await house.account({ history: false });
    const body = await pictureBody('reader', { output_format: 'text' });
    expect((await caller.ocr(body, { key: 'k' })).text).toBe('read by reader');
    const replay = await caller.ocr(body, { key: 'k' });
    expect(replay.status).toBe(200);
    expect(replay.body).toMatchObject({ status: 'succeeded', extracted_text: null });
  });
});

/** The body and the answer of a call whose document is read in part: its warning says that the preview is kept. */
async function readInPart(caller: Caller) {
  house.engines.script('reader', cutsShort('the beginning'));
  const body = await pictureBody();
  const first = await caller.ocr(body, { key: 'k' });
  expect(first.body).toMatchObject({
    status: 'partial',
    warning: expect.stringMatching(/The preview is all that is/),
  });
  return { body, first };
}
