import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { idAt, monthAhead } from '../../../test/house/month-parts.ts';
import { runSql } from '../../../test/house/sql.ts';
import type { Caller } from '../../src/accounts/callers/caller.ts';
import { openPool, type Pool } from '../../src/database/pool.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { PAGE_BREAK } from '../../src/requests/judge/conclude.ts';
import { Results } from '../../src/requests/show/results.ts';
import { RequestLookup } from '../../src/requests/store/find.ts';
import { StoredPages } from '../../src/requests/store/stored-pages.ts';
import { LARGE_TEXT_BYTES, TextTurns } from '../../src/requests/store/texts/text-turns.ts';

const ACCOUNT: string = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const ids = Array.from({ length: 40 }, (_, n) => idAt(monthAhead(0), n));
let made = 0;
let url: string;
let pool: Pool;
/** How many statements of each name are under way in each account's name, and the most there were. */
const underWay = { now: 0, most: 0, names: [] as string[] };

beforeAll(async () => {
  url = await createDatabase();
  for (const account of [ACCOUNT, OTHER]) {
    await runSql(
      url,
      `insert into account (id, email, signing_secret) values ($1::uuid, $1::text || '@example.com', 'x')`,
      [account],
    );
  }
  pool = openPool(url, { max: 8, log: makeLog('silent') });
});
afterAll(() => pool.end());

/** A request that has ended with these texts on its pages, or with one that only passes by. */
async function stored({
  account = ACCOUNT,
  pages = [] as string[],
  passing = null as string | null,
  status = 'succeeded',
}) {
  const id = ids[made++] ?? '';
  await runSql(
    url,
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, text_retained, finished_at)
     values ($1, $2, 'a', 'a', 'sync', '{}', $3::text, $3::text, 0, $4, now())`,
    [id, account, status, passing === null],
  );
  await runSql(
    url,
    `insert into ocr_page (request_id, number, engine, source, state, text, cost)
     select $1, n, 'a', 'engine', case when text = '' then 'blank' else 'read' end, text, 0
     from unnest($2::text[]) with ordinality as page(text, n)`,
    [id, pages],
  );
  if (passing !== null) await runSql(url, 'insert into passing_text (request_id, text) values ($1, $2)', [id, passing]);
  return id;
}

/** The pool, as it counts the reading of large texts. */
function storedPages(): StoredPages {
  const pool = counting();
  return new StoredPages(pool, { pool, turns: new TextTurns() });
}

function counting(): Pool {
  return Object.assign(Object.create(pool), {
    ask: async (prepared: { name: string; text: string; values: readonly unknown[] }) => {
      underWay.names.push(prepared.name);
      const isLarge = ['large-text-by-id', 'long-texts-of-pages'].includes(prepared.name);
      if (isLarge) underWay.most = Math.max(underWay.most, ++underWay.now);
      try {
        return await pool.ask({ ...prepared, values: [...prepared.values] });
      } finally {
        if (isLarge) underWay.now--;
      }
    },
  }) as Pool;
}

const LONG = 'a'.repeat(LARGE_TEXT_BYTES);

it.each([
  ['none', [], ''],
  ['of a blank page', [''], ''],
  ['short', ['one', 'two'], `one${PAGE_BREAK}two`],
  ['as long as is read with the rest', [LONG], LONG],
  ['longer', [`${LONG}b`], `${LONG}b`],
  ['long only together', [LONG, 'b', '', 'c'], `${LONG}${PAGE_BREAK}b${PAGE_BREAK}${PAGE_BREAK}c`],
  ['long in bytes', ['ä'.repeat(LARGE_TEXT_BYTES)], 'ä'.repeat(LARGE_TEXT_BYTES)],
])('a text is whole: %s', async (_, pages, text) => {
  const found = await new RequestLookup(pool).byId(await stored({ pages }));
  expect(found?.text === text, `${found?.text?.length} characters`).toBe(true);
});

it.each(['short', `${LONG}b`])('a text that is not kept is whole as it passes', async (passing) => {
  const found = await new RequestLookup(pool).byId(await stored({ passing }));
  expect(found?.text === passing, `${found?.text?.length} characters`).toBe(true);
});

it('what did not succeed has no text', async () => {
  const found = await new RequestLookup(pool).byId(await stored({ pages: ['x', LONG], status: 'partial' }));
  expect(found).toMatchObject({ status: 'partial', text: null });
});

it('large texts of an account are read one after the other, beside what others look up', async () => {
  const large = [];
  for (let n = 0; n < 4; n++) large.push(await stored({ pages: [LONG, LONG] }));
  const small = await stored({ account: OTHER, pages: ['small'] });
  const lookup = new RequestLookup(counting());
  Object.assign(underWay, { now: 0, most: 0, names: [] });
  const found = await Promise.all([...large, small].map((id) => lookup.byId(id)));
  expect(found.map((request) => request?.text?.length)).toEqual([
    ...large.map(() => 2 * LONG.length + PAGE_BREAK.length),
    5,
  ]);
  expect(underWay.most).toBe(1);
  expect(underWay.names.filter((name) => name === 'large-text-by-id')).toHaveLength(4);
});

it('a large text is read for who shows it, and of an account’s own requests alone', async () => {
  const id = await stored({ pages: [LONG, LONG] });
  const caller = { accountId: ACCOUNT, history: true } as Caller;
  const results = new Results(new RequestLookup(counting()));
  underWay.names = [];
  const without = await results.read(caller, id, { text: 'none' });
  expect(without.largeTextBytes).toBeGreaterThan(LONG.length);
  expect(() => without.extractedText).toThrow('was not read');
  await expect(results.outcome({ ...caller, accountId: OTHER }, id, { text: 'whole' })).rejects.toThrow(
    'no such request',
  );
  expect(underWay.names).not.toContain('large-text-by-id');
  expect((await results.read(caller, id, { text: 'whole' })).extractedText?.length).toBe(
    2 * LONG.length + PAGE_BREAK.length,
  );
});

it.each([
  ['of its first page', [`👍${LONG}`, 'b']],
  ['of short pages, and what comes after them', ['one', '', 'two', LONG, LONG]],
  ['of blank pages', [...Array.from({ length: 500 }, () => ''), LONG, 'b']],
  ['of characters of four bytes', ['👍'.repeat(1990), '👍', LONG, LONG]],
])('the preview of a large text is its beginning, for which no more is read: %s', async (_, pages) => {
  const id = await stored({ pages });
  const caller = { accountId: ACCOUNT, history: true } as Caller;
  underWay.names = [];
  const shown = await new Results(new RequestLookup(counting())).read(caller, id, { text: 'beginning' });
  expect(underWay.names).not.toContain('large-text-by-id');
  expect(shown.extractedTextPreview).toBe([...pages.join(PAGE_BREAK)].slice(0, 2000).join(''));
  expect(shown.extractedTextIfShort).toBeNull();
  expect(() => shown.extractedText).toThrow('was not read');
});

it.each(['none', 'beginning', 'whole'] as const)('a text that is not kept is its caller’s alone (%s)', async (text) => {
  const id = await stored({ passing: LONG });
  const caller = { accountId: ACCOUNT, history: true } as Caller;
  const shown = await new Results(new RequestLookup(pool)).outcome(caller, id, { text });
  expect([shown.extractedText, shown.extractedTextPreview, shown.extractedTextIfShort]).toEqual([null, null, null]);
});

it.each([
  ['', ''],
  ['👍'.repeat(2000), '👍'.repeat(2000)],
  ['👍'.repeat(2001), null],
])('a text is short where its preview is all of it', async (text, short) => {
  const id = await stored({ pages: [text] });
  const shown = await new Results(new RequestLookup(pool)).outcome({ accountId: ACCOUNT } as Caller, id, {
    text: 'beginning',
  });
  expect(shown.extractedTextIfShort).toBe(short);
});

it.each([
  ['short', ['one', '', 'two'], 0],
  ['as much as is read with the rest', [LONG], 0],
  ['long together, one of them blank', [LONG, '', 'b', LONG], 1],
  ['longer than one statement reads', Array.from({ length: 12 }, (_, n) => `${n}${LONG}`), 2],
])('pages have all their texts: %s', async (_, texts, more) => {
  const id = await stored({ pages: texts });
  underWay.names = [];
  const { pages } = await storedPages().slice(id, {
    size: 100,
    skipped: 0,
    party: ACCOUNT,
  });
  expect(pages.map(({ text }) => text?.length)).toEqual(texts.map((text) => text.length));
  expect(pages.every(({ text }, index) => text === texts[index])).toBe(true);
  expect(underWay.names.filter((name) => name === 'long-texts-of-pages')).toHaveLength(more);
});

it('long texts of pages are read an account’s one answer after the other', async () => {
  const id = await stored({ pages: Array.from({ length: 12 }, () => LONG) });
  const pages = storedPages();
  Object.assign(underWay, { now: 0, most: 0, names: [] });
  await Promise.all([1, 2, 3].map(() => pages.slice(id, { size: 100, skipped: 0, party: ACCOUNT })));
  expect(underWay.most).toBe(1);
});

it('long texts that nobody waits for any more are not read', async () => {
  const id = await stored({ pages: [LONG, LONG] });
  underWay.names = [];
  const gone = AbortSignal.abort(new Error('left'));
  const asked = { size: 100, skipped: 0, party: ACCOUNT, hangUp: () => gone };
  await expect(storedPages().slice(id, asked)).rejects.toThrow('left');
  expect(underWay.names).not.toContain('long-texts-of-pages');
});

it('an account that asks for more large texts than may wait is told so, and others are not', async () => {
  const large = await stored({ pages: [`${LONG}b`] });
  const others = await stored({ account: OTHER, pages: [`${LONG}b`] });
  const lookup = new RequestLookup(pool);
  const asked = Promise.allSettled(Array.from({ length: 150 }, () => lookup.byId(large)));
  expect((await lookup.byId(others))?.text).toHaveLength(LONG.length + 1);
  const refused = (await asked).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited' } });
});
