/** Most characters of an origin: it is part of an index, whose entries have a limit. */
const ORIGIN_LENGTH = 255;

/** The receiver of a URL as an SQL expression: host and port. It decides only whose places a delivery takes. */
export function originOf(url: string): string {
  return `left(lower(coalesce(substring(${url} from '^[a-zA-Z]+:[/\\\\]*([^/?#\\\\]+)'), ${url})), ${ORIGIN_LENGTH})`;
}

/**
 * Common table expression that inserts the deliveries of requests that end, as part of the statement that ends them. Needs
 * `done(id, account_id, outcome, engine, charge, webhook_url, trace)`, and gives `announced(id)`. A request has one delivery,
 * whose id is made of the request's.
 */
export const ANNOUNCE = `
  announced as (
    insert into webhook_delivery (id, account_id, webhook_id, request_id, url, origin, event, is_failure, engine, cost, trace, status)
    select 'whd_' || substr(d.id, 5), d.account_id,
      (select w.id from webhook w where w.account_id = d.account_id and w.url = d.webhook_url
       order by w.is_active desc, w.created_at, w.id limit 1),
      d.id, d.webhook_url, ${originOf('d.webhook_url')}, 'ocr.completed', d.outcome <> 'succeeded', d.engine, d.charge, d.trace,
      'pending'
    from done d where d.webhook_url is not null
    on conflict (id) do nothing
    returning id
  )`;
