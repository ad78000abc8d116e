import { expect, it } from 'vitest';
import { fails } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { ask } from '../../house/graphql.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

it('an ended request, as often as it is asked for', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(await pictureBody());
  for (let i = 0; i < 2; i++) {
    const reply = await caller.call('DELETE', `/v1/ocr/${body.request_id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(reply.headers).not.toHaveProperty('content-type');
  }
});

it('GraphQL says when, and nothing before', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(await pictureBody());
  const query = 'query ($id: ID!) { request(id: $id) { deletedAt finishedAt } }';
  const show = async () => {
    type Answer = { request: { deletedAt: string | null; finishedAt: string } };
    return (await ask<Answer>(caller, query, { id: body.request_id })).data.request;
  };
  expect((await show()).deletedAt).toBeNull();
  expect((await caller.call('DELETE', `/v1/ocr/${body.request_id}`)).status).toBe(204);
  const { deletedAt, finishedAt } = await show();
  expect(deletedAt).toEqual(expect.any(String));
  expect(Date.parse(deletedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(finishedAt));
  expect((await caller.call('DELETE', `/v1/ocr/${body.request_id}`)).status).toBe(204);
  expect((await show()).deletedAt).toBe(deletedAt);
});

it('afterwards result, pages and files are 410, and say why', async () => {
  const { caller } = await house.account();
  const { body } = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'Here' }]), { include: ['words'] }));
  const path = `/v1/ocr/${body.request_id}`;
  const reads = ['', '/pages', '/pages?include=words', ...['text', 'hocr', 'alto'].map((it) => `/output?format=${it}`)];
  for (const read of reads) expect((await caller.get(path + read)).status, read).toBe(200);
  expect((await caller.call('DELETE', path)).status).toBe(204);
  for (const read of reads) {
    const reply = await caller.get(path + read);
    expectError(reply, 410, 'result_not_retained', /was deleted/);
    expect(reply.text, read).not.toContain('Here');
  }
});

it('a request that failed, and one of an account that keeps nothing', async () => {
  const { caller } = await house.account({ history: false });
  const { body } = await caller.ocr(await pictureBody());
  expect((await caller.call('DELETE', `/v1/ocr/${body.request_id}`)).status).toBe(204);
  const owner = await house.account();
  house.engines.script('reader', fails(500, 'broke'));
  const failed = await owner.caller.ocr(await pictureBody());
  const id = failed.headers['x-request-id'] ?? '';
  expect([failed.status, id.slice(0, 4)]).toEqual([502, 'ocr_']);
  expect((await owner.caller.call('DELETE', `/v1/ocr/${id}`)).status).toBe(204);
  expectError(await owner.caller.get(`/v1/ocr/${id}`), 410, 'result_not_retained');
});
