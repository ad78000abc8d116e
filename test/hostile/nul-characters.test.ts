import { beforeEach, expect, it } from 'vitest';
import { refuses, says } from '../house/engine-answers.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

// PostgreSQL keeps neither the character NUL nor half a surrogate pair in a text or in JSON.
const ODD = ['a\u0000b', '\u0000', 'half a pair \ud83d', '\udc00 the other half'];

const house = await sharedHouse();
const { caller } = await house.account();
beforeEach(() => house.engines.reset());

it.each(ODD)('in fields of the request are refused or accepted, never a failure of ours: %j', async (odd) => {
  for (const fields of [
    { settings: { language: odd } },
    { options: { language_hints: [odd] } },
    { native_settings: { [odd]: odd, nested: [{ [odd]: odd }] } },
    { [odd]: odd },
    { engine: odd },
    { fallback_engine: odd },
  ]) {
    const { status, text } = await caller.ocr(await pictureBody('reader', fields));
    expect([200, 400], `${JSON.stringify(fields)}: ${text.slice(0, 300)}`).toContain(status);
  }
});

it.each(ODD)('in what an engine says are no failure of ours: %j', async (odd) => {
  house.engines.script('reader', says(`before ${odd} after`));
  const { status, body } = await caller.ocr(await pictureBody());
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.extracted_text).toMatch(/^before .* after$/s);
  const read = await caller.get(`/v1/ocr/${body.request_id}`);
  expect(wellFormed(read.body.extracted_text)).toBe(wellFormed(body.extracted_text));
});

it('in what an engine refuses with are no failure of ours', async () => {
  house.engines.script('reader', refuses('No\u0000, thank you \ud83d'));
  const { status, body } = await caller.ocr(await pictureBody());
  expect([status, body.status]).toEqual([202, 'refunded']);
});

it('in an id do not disturb those who ask at the same time', async () => {
  const { body } = await caller.ocr(await pictureBody());
  const asked = [body.request_id, 'ocr_%00', body.request_id, 'ocr_%ED%A0%80', body.request_id, '%FF', body.request_id];
  const replies = await Promise.all(asked.map((id) => caller.get(`/v1/ocr/${id}`)));
  for (const [index, { status, text }] of replies.entries()) {
    if (asked[index] === body.request_id) expect(status, text).toBe(200);
    else expect([400, 404], text).toContain(status);
  }
});

const wellFormed = (text: string | null | undefined) => text?.replace(/\p{Surrogate}/gu, '\ufffd');
