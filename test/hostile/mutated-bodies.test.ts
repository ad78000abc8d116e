import { existsSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { ErrorAnswer } from '../house/answers.ts';
import type { Reply } from '../house/caller.ts';
import { openOwnHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { picture } from '../house/pictures.ts';
import { SeededRandom } from '../house/seeded-random.ts';
import { damageText, mutateBody } from './mutate-body.ts';

const SEED = 20_261_120;
const house = await openOwnHouse();
afterAll(() => house[Symbol.asyncDispose]());

it('300 bodies with wrong fields: a 400 each that names the field, and nothing is charged or held', async () => {
  const { accountId, caller } = await house.account({ credit: 1 });
  const random = new SeededRandom(SEED);
  const good = ocrBody('reader', await picture());
  for (let n = 0; n < 300; n++) {
    const { body, fields } = mutateBody(good, random);
    const reply = await caller.ocr<ErrorAnswer>(body);
    const what = `seed ${SEED}, body ${n}: ${body.slice(0, 300)} → ${reply.text.slice(0, 300)}`;
    expect(reply.status, what).toBe(400);
    expect(['invalid_request', 'unknown_engine'], what).toContain(reply.body.error.code);
    const named = [...fields, 'no-such-engine']; // an id that nobody has is named itself
    expect(
      named.some((name) => reply.body.error.message.includes(name)),
      what,
    ).toBe(true);
  }
  expect(house.engines.calls('reader')).toEqual([]);
  expect(await house.admin.showAccount(accountId)).toMatchObject({ balance_usd: 1, held_usd: 0 });
});

it('300 bodies with damaged bytes: never a 5xx, always the envelope, and only what was read is charged', async () => {
  const { accountId, caller } = await house.account({ credit: 5 });
  const random = new SeededRandom(SEED + 1);
  const good = { ...ocrBody('reader', await picture()), settings: { language: 'en', dpi: 300 }, page_count: 1 };
  let read = 0;
  for (let n = 0; n < 300; n++) {
    const reply = await caller.ocr<ErrorAnswer>(damageText(good, random));
    if (reply.status === 200) read += 1;
    else expectEnvelope(reply, `seed ${SEED + 1}, body ${n}`);
  }
  expect(read).toBeLessThan(300);
  const spent = read * 10_000_000;
  expect(await house.admin.showAccount(accountId)).toMatchObject({
    balance_usd: (5_000_000_000 - spent) / 1e9,
    held_usd: 0,
  });
});

it.skipIf(!existsSync('/proc/self/status'))('leaves memory flat', async () => {
  const { caller } = await house.account();
  const random = new SeededRandom(SEED + 2);
  const good = ocrBody('reader', await picture());
  const flood = async (bodies: number) => {
    for (let n = 0; n < bodies; n++) await caller.ocr(n % 2 ? mutateBody(good, random).body : damageText(good, random));
  };
  await flood(300);
  const before = await house.product.residentMb();
  await flood(600);
  const after = await house.product.residentMb();
  expect(Number(after)).toBeLessThan(Number(before) + 100);
});

it('leaves the service in order', async () => {
  const { caller } = await house.account();
  expect((await caller.ocr(await pictureBody())).status).toBe(200);
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});

function expectEnvelope(reply: Reply<ErrorAnswer>, what: string): void {
  expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeGreaterThanOrEqual(400);
  expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500);
  expect(reply.body.error, what).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\S/) });
}
