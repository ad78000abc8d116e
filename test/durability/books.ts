import { Client } from 'pg';

/** A request as the database has it at the end. */
export interface Row {
  readonly id: string;
  readonly language: string;
  readonly mode: 'sync' | 'async';
  readonly status: string;
  readonly outcome: string;
  readonly errorCode: string | null;
  readonly costNanoUsd: number;
  readonly starts: number;
  readonly isFinished: boolean;
  readonly webhookUrl: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const ROWS = `
  select id, effective->>'language' as language, mode, status, outcome, error_code as "errorCode",
    cost::float8 as "costNanoUsd", starts, finished_at is not null as "isFinished", effective->>'webhookUrl' as "webhookUrl",
    extract(epoch from created_at)::float8 * 1000 as "createdAt"
  from ocr_request where account_id = $1 order by id`;

const OPEN = `
  select (select count(*) from ocr_request where finished_at is null)::int
       + (select count(*) from webhook_delivery where status = 'pending')::int as open`;

/** The rows of one account. */
export async function readRows(databaseUrl: string, accountId: string): Promise<Row[]> {
  return ask<Row>(databaseUrl, ROWS, [accountId]);
}

/** Requests and deliveries that have not ended. */
export async function countOpen(databaseUrl: string): Promise<number> {
  return (await ask<{ open: number }>(databaseUrl, OPEN))[0]?.open ?? 0;
}

async function ask<T extends object>(databaseUrl: string, sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
