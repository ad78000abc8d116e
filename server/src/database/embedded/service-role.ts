import type pg from 'pg';
import { DATABASE } from './initialize.ts';

/** The role that serves callers; the owner's name is that of the database. */
export const SERVICE_ROLE = 'ocr_router_service';
/** Tables that only grow: whoever serves callers may add to them. */
const APPEND_ONLY = ['ledger_transfer'];

/**
 * Makes the role that the service connects as, or gives it its password again: it reads and writes rows. Tables belong to
 * the owner, so that it can neither change them nor switch off the trigger that keeps the ledger append-only.
 */
export async function ensureServiceRole(owner: pg.Client, password: string): Promise<void> {
  const found = await owner.query('select from pg_roles where rolname = $1', [SERVICE_ROLE]);
  const verb = found.rowCount === 0 ? 'create' : 'alter';
  const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  await owner.query(`${verb} role ${SERVICE_ROLE} ${attributes} password ${owner.escapeLiteral(password)}`);
  await owner.query(`grant connect, temporary on database ${DATABASE} to ${SERVICE_ROLE}`);
}

/** Lets the role use every table, those of later migrations too. Runs in the service's database. */
export async function grantTables(owner: pg.Client): Promise<void> {
  const tables = 'select, insert, update, delete on';
  const sequences = 'usage, select on';
  const later = `alter default privileges for role ${DATABASE} in schema public grant`;
  await owner.query(`
    grant usage on schema public to ${SERVICE_ROLE};
    grant ${tables} all tables in schema public to ${SERVICE_ROLE};
    grant ${sequences} all sequences in schema public to ${SERVICE_ROLE};
    ${later} ${tables} tables to ${SERVICE_ROLE};
    ${later} ${sequences} sequences to ${SERVICE_ROLE}`);
  const { rows } = await owner.query<{ name: string }>(
    'select relname as name from pg_class where relnamespace = $1::regnamespace and relname = any($2)',
    ['public', APPEND_ONLY],
  );
  for (const { name } of rows) await owner.query(`revoke update, delete on ${name} from ${SERVICE_ROLE}`);
}
