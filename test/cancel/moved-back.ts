import { runSql } from '../house/sql.ts';

const DAY_MS = 86_400_000;

/** As if the request had been accepted and had ended so many days ago; its id says so, too. Answers the id. */
export async function movedBack(databaseUrl: string, id: string, days: number): Promise<string> {
  const time = Date.now() - days * DAY_MS;
  const moved = `ocr_${encoded(time)}${id.slice(14)}`;
  const ago = `interval '${days} days'`;
  await runSql(
    databaseUrl,
    `with page as (update ocr_page set request_id = '${moved}' where request_id = '${id}'),
       layout as (update page_layout set request_id = '${moved}' where request_id = '${id}'),
       attempt as (
         update attempt set request_id = '${moved}', started_at = started_at - ${ago}, finished_at = finished_at - ${ago}
         where request_id = '${id}'),
       key as (update idempotency_key set request_id = '${moved}' where request_id = '${id}'),
       delivery as (
         update webhook_delivery set request_id = '${moved}', created_at = created_at - ${ago} where request_id = '${id}')
     update ocr_request set id = '${moved}', created_at = created_at - ${ago}, started_at = started_at - ${ago},
       finished_at = finished_at - ${ago} where id = '${id}'`,
  );
  return moved;
}

/** The first ten characters of an id: milliseconds, in Crockford's base 32. */
function encoded(time: number): string {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let text = '';
  for (let left = time; text.length < 10; left = Math.floor(left / 32)) text = digits[left % 32] + text;
  return text;
}
