import { afterAll, expect, it } from 'vitest';
import { verified, WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import type { Pool } from '../../src/database/pool.ts';
import { PAGE_BREAK } from '../../src/requests/judge/conclude.ts';
import { TextTurns } from '../../src/requests/store/texts/text-turns.ts';
import { PostOffice } from './post-office.ts';
import { renderingOf } from './rendered-body.ts';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
const asked: string[] = [];
const turns = new TextTurns();
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** The pool, as it notes what it is asked. */
const noting: Pool = Object.assign(Object.create(office.pool), {
  ask: (statement: { name: string; text: string; values: unknown[] }) => {
    asked.push(statement.name);
    return office.pool.ask({ ...statement, values: [...statement.values] });
  },
});

const LONG = `${'Zeile 👍\n'.repeat(40_000)}the end`;

/** A request that has ended with these pages. */
async function ended(requestId: string, accountId: string, pages: readonly string[]): Promise<void> {
  await office.pool.query(
    `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, text_retained, finished_at)
     values ($1, $2, 'reader', 'reader', 'async', '{}', 'succeeded', 'succeeded', 0, true, now())`,
    [requestId, accountId],
  );
  await office.pool.query(
    `insert into ocr_page (request_id, number, engine, source, state, text, cost)
     select $1, n, 'reader', 'engine', case when text = '' then 'blank' else 'read' end, text, 0
     from unnest($2::text[]) with ordinality as page(text, n)`,
    [requestId, pages],
  );
}

it.each([
  ['one page', [LONG, LONG]],
  ['several pages', ['first', '', '👍'.repeat(990), LONG, LONG]],
  ['blank pages', [...Array.from({ length: 300 }, () => ''), LONG]],
])('the preview of megabytes is delivered at the first attempt, in no turn of large texts: %s', async (what, pages) => {
  const { accountId, secret } = await office.account();
  // All of the account’s turns are taken, and its line is full.
  using _turn = await turns.take(accountId);
  const gone = new AbortController();
  const waiting = Promise.allSettled(Array.from({ length: 100 }, () => turns.take(accountId, gone.signal)));
  const path = `/large-${encodeURIComponent(what)}`;
  const id = await office.announce(accountId, receiver.at(path));
  await ended(id.replace('whd_', 'ocr_'), accountId, pages);
  asked.length = 0;
  await using _job = office.startJob({ render: renderingOf(noting, turns) });

  expect(await office.ended(id)).toEqual([{ attempt: 1, status: 'delivered', responseCode: 200, error: null }]);
  const [received] = receiver.received(path);
  const body = received && verified(received, secret);
  expect(body).toMatchObject({ status: 'succeeded', extracted_text: null });
  const preview = [...pages.join(PAGE_BREAK)].slice(0, 2000).join('');
  expect(body?.['extracted_text_preview'] === preview, String(body?.['extracted_text_preview']).slice(0, 99)).toBe(
    true,
  );
  expect(asked).not.toContain('large-text-by-id');
  gone.abort();
  await waiting;
});
