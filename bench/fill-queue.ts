/** $1: how many. */
export const FILL_ACCOUNTS = `
  with made as (
    insert into account (id, email, signing_secret)
    select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'a' || n || '@localhost', 'none'
    from generate_series(0, $1::int - 1) n returning id
  )
  insert into wallet (account_id, posted) select id, 1000000000 from made`;

const EFFECTIVE = {
  engine: 'instant',
  inputType: 'base64',
  url: null,
  mimeType: null,
  language: null,
  languageHints: null,
  dpi: 72,
  detectTables: false,
  pageRange: null,
  pageCount: null,
  native: {},
  fallbackEngine: null,
  scannedHandling: 'skip',
  scannedHandlingGiven: false,
  fallback: 'off',
  mode: 'async',
  webhookUrl: null,
  outputFormat: 'json',
};

/** $1: how many, $2: of how many accounts, $3: for which engine. */
export const FILL_REQUESTS = `
  insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold)
  select 'ocr_' || lpad(n::text, 26, '0'), ('00000000-0000-4000-8000-' || lpad(to_hex(n % $2::int), 12, '0'))::uuid,
    $3, $3, 'async', '${JSON.stringify(EFFECTIVE)}', 'queued', 'processing', 0
  from generate_series(0, $1::int - 1) n`;

/** $1: the bytes that each of them has. */
export const FILL_DOCUMENTS = `
  insert into stored_document (request_id, bytes) select id, $1::bytea from ocr_request where status = 'queued'`;

/** Where acceptance would have put them, had they come one by one. */
export const FILL_QUEUE = `
  insert into queued_request (request_id, engine, account_id, level, seq)
  select id, requested_engine, account_id, 1 + floor(log(2, row_number() over (partition by account_id order by id))),
    (extract(epoch from now()) * 1e6)::bigint + row_number() over (order by id)
  from ocr_request where status = 'queued'`;
