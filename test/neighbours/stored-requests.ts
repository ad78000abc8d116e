import type { Client } from 'pg';

/** A time as the first ten characters of an id. */
const TIME_DIGITS = `(select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  (((extract(epoch from at) * 1000)::bigint >> (45 - 5 * i)) & 31)::int + 1, 1), '' order by i) from generate_series(0, 9) i)`;

/** Gives an account a request whose one page has a text of so many characters; its id. */
export function storeText(client: Client, accountId: string, characters: number): Promise<string> {
  return storePages(client, accountId, { pages: 1, characters });
}

/** Gives an account a request with so many pages, each with a text of so many characters, `unit` again and again; its id. */
export async function storePages(
  client: Client,
  accountId: string,
  {
    pages,
    characters,
    unit = 'A line of text. ',
  }: { readonly pages: number; readonly characters: number; readonly unit?: string },
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `with made as (
       insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages,
         text_retained, created_at, finished_at)
       select 'ocr_' || ${TIME_DIGITS} || upper(substr(md5(random()::text), 1, 16)), $1::uuid, 'instant', 'instant', 'sync', '{}',
         'succeeded', 'succeeded', 0, 0, $3::int, true, at, at
       from (select now() as at) one
       returning id
     ), page as (
       insert into ocr_page (request_id, number, engine, source, state, text, cost)
       select id, n, 'instant', 'ocr', 'read', repeat($4::text, $2::int / length($4::text)), 0 from made, generate_series(1, $3::int) n
     )
     select id from made`,
    [accountId, characters, pages, unit],
  );
  return rows[0]?.id ?? '';
}

/** Gives an account so many requests of the last days that were read, each with the text of its page. */
export async function storeRequests(client: Client, accountId: string, requests: number): Promise<void> {
  await client.query(
    `with made as (
       insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages,
         text_retained, created_at, finished_at)
       select 'ocr_' || ${TIME_DIGITS} || upper(substr(md5(random()::text), 1, 16)), $1::uuid, 'instant', 'instant', 'sync', '{}',
         'succeeded', 'succeeded', 0, 0, 1, true, at, at
       from (select now() - n * interval '1 minute' as at from generate_series(1, $2::int) n) one
       returning id
     )
     insert into ocr_page (request_id, number, engine, source, state, text, cost)
     select id, 1, 'instant', 'ocr', 'read', repeat('A line of text. ', 40), 0 from made`,
    [accountId, requests],
  );
}
