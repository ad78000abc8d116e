import { beforeEach, expect, it } from 'vitest';
import { cutsShort, type EngineAnswer, filters, garbles, refuses, says } from '../../house/engine-answers.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

const FAILURES: Record<string, EngineAnswer> = {
  'refuses the page': refuses('I cannot transcribe this.'),
  'is stopped by its content filter': filters(),
  'comes back empty for a page with ink on it': says(''),
  'comes back with blanks only': says(' \n\t\n '),
  'ran out of tokens before the first character': cutsShort(''),
};

it.each(Object.entries(FAILURES))('refunds when the engine %s, charging the provider’s cost', async (_name, answer) => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('reader', answer);
  const { status, headers, body } = await caller.ocr(await pictureBody());
  expect(status).toBe(202);
  expect(body).toMatchObject({ status: 'refunded', engine: 'reader', cost_debited: 0.004 });
  expect(body.request_id).toMatch(/^ocr_/);
  expect(body.provider_error).toMatch(/\S/);
  expect(body.extracted_text ?? null).toBeNull();
  expect(headers).not.toHaveProperty('retry-after');
  await expectBalance(house, accountId, 0.996);
});

it('costs 0.0 when the provider takes nothing for the attempt', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  house.engines.script('costless', refuses('No.'));
  const { body } = await caller.ocr(await pictureBody('costless'));
  expect(body).toMatchObject({ status: 'refunded', cost_debited: 0 });
  await expectBalance(house, accountId, 1);
});

it('says in provider_error that an engine returned no text', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', says(''));
  expect((await caller.ocr(await pictureBody())).body.provider_error).toMatch(/text/i);
});

it('calls the engine once: a refusal is never asked for again', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', refuses('No.'));
  await caller.ocr(await pictureBody());
  expect(house.engines.calls('reader')).toHaveLength(1);
});

it('never passes the text of a refusal off as the document’s text', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', says("I'm sorry, I can't transcribe this document."));
  const { status, body } = await caller.ocr(await pictureBody());
  expect([status, body.status]).toEqual([202, 'refunded']);
});

it('does not take an answer that is no JSON for a text', async () => {
  const { caller } = await house.account();
  house.engines.script('reader', garbles());
  const { status, body } = await caller.ocr(await pictureBody());
  expect([202, 502]).toContain(status);
  expect(JSON.stringify(body)).not.toContain('not what you asked for');
});
