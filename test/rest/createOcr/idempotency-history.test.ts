import { beforeEach, describe, expect, it } from 'vitest';
import { expectBalance } from '../../house/expect-money.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());

describe('rule 6: replayed text is there only while history is retained', () => {
  it('with history off a replayed success has no text and a warning that it was not retained', async () => {
    const { accountId, caller } = await house.account({ credit: 1, history: false });
    const body = await pictureBody();
    const first = await caller.ocr(body, { key: 'k' });
    expect(first.body).toMatchObject({ status: 'succeeded', extracted_text: 'read by reader' });
    const { status, body: replay } = await caller.ocr(body, { key: 'k' });
    expect(status).toBe(200);
    expect(replay).toMatchObject({ request_id: first.body.request_id, status: 'succeeded', extracted_text: null });
    expect(replay.warning).toMatch(/retained/i);
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

  it('a replay without its text is JSON, whatever format was asked for', async () => {
    const { caller } = await house.account({ history: false });
    const body = await pictureBody('reader', { output_format: 'text' });
    expect((await caller.ocr(body, { key: 'k' })).text).toBe('read by reader');
    const replay = await caller.ocr(body, { key: 'k' });
    expect(replay.status).toBe(200);
    expect(replay.body).toMatchObject({ status: 'succeeded', extracted_text: null });
  });
});
