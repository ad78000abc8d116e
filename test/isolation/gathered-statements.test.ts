import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { EngineAnswer } from '../house/engine-answers.ts';
import { says } from '../house/engine-answers.ts';
import { expectError } from '../house/expect-error.ts';
import { expectBalance } from '../house/expect-money.ts';
import { ask } from '../house/graphql.ts';
import { type HouseAccount, openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const NEIGHBOURS = 60;

const house = await openHouse({ engines: { reader: {}, poison: {}, faint: { adapter: 'easyocr', probe: false } } });
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

/** Many requests of an account at once, so that gathered statements hold them together with another account's. */
async function crowd({ caller }: HouseAccount, fields: object = {}, count = NEIGHBOURS) {
  const bodies = await Promise.all(Array.from({ length: count }, () => pictureBody('reader', { ...fields })));
  return Promise.all(bodies.map((body) => caller.ocr(body)));
}

describe('a gathered statement fails for nobody but the item that causes it', () => {
  it('an account without a wallet gets its own error, and its neighbours are accepted', async () => {
    const [good, bad] = await Promise.all([house.account(), house.account()]);
    await runSql(house.databaseUrl, 'delete from wallet where account_id = $1', [bad.accountId]);
    const [accepted, refused] = await Promise.all([crowd(good, { mode: 'async' }), crowd(bad, { mode: 'async' }, 10)]);
    expect(accepted.map(({ status }) => status)).toEqual(accepted.map(() => 202));
    for (const reply of refused) expectError(reply, 500, 'internal_error', /wallet/);
    await until('all are read', async () => (await house.admin.showAccount(good.accountId)).held_usd === 0);
    expect(house.engines.calls('reader')).toHaveLength(NEIGHBOURS);
    await expectBalance(house, good.accountId, 10 - NEIGHBOURS * 0.01);
    const ids = `select id from ocr_request where account_id = '${bad.accountId}'`;
    expect(await readSql(house.databaseUrl, ids)).toEqual([]);
  });

  it('a page that the database refuses to store fails its own request, which is run once', async () => {
    await runSql(
      house.databaseUrl,
      `create or replace function refuse_poison() returns trigger language plpgsql as
       $$ begin if new.engine = 'poison' then raise exception 'poison'; end if; return new; end $$`,
      [],
    );
    await runSql(
      house.databaseUrl,
      'create trigger refuse_poison before insert on ocr_page for each row execute function refuse_poison()',
      [],
    );
    try {
      const [good, bad] = await Promise.all([house.account(), house.account()]);
      const poisons = Array.from({ length: 5 }, async () => bad.caller.ocr(await pictureBody('poison')));
      const [read, poisoned] = await Promise.all([crowd(good), Promise.all(poisons)]);
      expect(read.map(({ status }) => status)).toEqual(read.map(() => 200));
      for (const reply of poisoned) expectError(reply, 500, 'internal_error');
      expect(house.engines.calls('reader')).toHaveLength(NEIGHBOURS);
      expect(house.engines.calls('poison')).toHaveLength(5);
      await expectBalance(house, good.accountId, 10 - NEIGHBOURS * 0.01);
      await expectBalance(house, bad.accountId, 10);
    } finally {
      await runSql(house.databaseUrl, 'drop trigger refuse_poison on ocr_page', []);
    }
  });

  it('a confidence next to nothing is stored as next to nothing', async () => {
    house.engines.script('faint', recognised('text', 1e-47));
    const [good, odd] = await Promise.all([house.account(), house.account()]);
    const faint = Array.from({ length: 8 }, async () => odd.caller.ocr(await pictureBody('faint')));
    const [read, faintly] = await Promise.all([crowd(good), Promise.all(faint)]);
    expect(read.map(({ status }) => status)).toEqual(read.map(() => 200));
    expect(faintly.map(({ status, body }) => [status, body.confidence])).toEqual(faintly.map(() => [200, 0]));
    expect(house.engines.calls('reader')).toHaveLength(NEIGHBOURS);
    expect(house.engines.calls('faint')).toHaveLength(8);
  });

  it('what a provider puts into its usage is stored, whatever its keys and its size', async () => {
    const { caller } = await house.account();
    const usage = { prompt_tokens: 1, completion_tokens: 1, 'a\u0000b': 1, '\ud83d': 2, long: 'x'.repeat(200_000) };
    house.engines.script('reader', says('text', usage));
    const { status, body } = await caller.ocr(await pictureBody());
    expect(status).toBe(200);
    expect(house.engines.calls('reader')).toHaveLength(1);
    const [row] = await readSql<{ size: number }>(
      house.databaseUrl,
      `select octet_length(usage::text) as size from attempt where request_id = '${body.request_id}'`,
    );
    expect(row?.size).toBeLessThan(20_000);
  });
});

describe('idempotency keys', () => {
  const SUBMIT = `mutation ($request: OcrRequestInput!, $key: String!) {
    submitOcr(request: $request, idempotencyKey: $key) { id status } }`;
  const INPUT = { engine: 'reader', input: { type: 'base64', dataBase64: '' } };

  it.each([
    ['with NUL', 'a\u0000b'],
    ['with half a character', 'a\ud83d'],
    ['longer than 255 characters', randomBytes(4000).toString('hex')],
    ['that are blank', ' '],
  ])('%s are refused through GraphQL as they are through REST, and trouble nobody else', async (_, key) => {
    const [good, bad] = await Promise.all([house.account(), house.account()]);
    const { input } = await pictureBody();
    const request = { ...INPUT, input: { type: 'base64', dataBase64: input.data_base64 } };
    const attacks = Array.from({ length: 15 }, () => ask(bad.caller, SUBMIT, { request, key }));
    const [read, refused] = await Promise.all([crowd(good), Promise.all(attacks)]);
    expect(read.map(({ status }) => status)).toEqual(read.map(() => 200));
    expect(refused.map(({ codes }) => codes)).toEqual(refused.map(() => ['invalid_request']));
  });
});

it('of people who take the same e-mail address at once one gets it, and the others the error of the table', async () => {
  const email = `${randomUUID()}@example.com`;
  const takes = await Promise.allSettled(Array.from({ length: 6 }, () => house.admin.createAccount({ email })));
  expect(takes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const take of takes) {
    if (take.status === 'rejected') expect(take.reason).toMatchObject({ code: 'invalid_request' });
  }
});

/** What an EasyOCR server answers. */
function recognised(text: string, confidence: number): EngineAnswer {
  const bbox = [
    [0, 0],
    [9, 0],
    [9, 9],
    [0, 9],
  ];
  return { kind: 'json', status: 200, body: { results: [{ bbox, text, confidence }] } };
}
