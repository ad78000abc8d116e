import type pg from 'pg';
import type { Names } from '../names.ts';

/**
 * Makes the role that the service connects as, or gives it its password again: it reads and writes rows. Tables belong to
 * the owner, so that it can neither change them nor switch off their triggers.
 */
export async function ensureServiceRole(owner: pg.Client, names: Names, password: string): Promise<void> {
  const [role, database] = [owner.escapeIdentifier(names.service), owner.escapeIdentifier(names.database)];
  const found = await owner.query('select from pg_roles where rolname = $1', [names.service]);
  const verb = found.rowCount === 0 ? 'create' : 'alter';
  const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  await owner.query(`${verb} role ${role} ${attributes} password ${owner.escapeLiteral(password)}`);
  await owner.query(`grant connect, temporary on database ${database} to ${role}`);
}

/**
 * Lets the role use every table, those of later migrations too; to the tables that only grow it may add and no more. Runs
 * in the service's database.
 */
export async function grantTables(owner: pg.Client, names: Names, appendOnly: readonly string[]): Promise<void> {
  const [role, database] = [owner.escapeIdentifier(names.service), owner.escapeIdentifier(names.database)];
  const tables = 'select, insert, update, delete on';
  const sequences = 'usage, select on';
  const later = `alter default privileges for role ${database} in schema public grant`;
  await owner.query(`
    grant usage on schema public to ${role};
    grant ${tables} all tables in schema public to ${role};
    grant ${sequences} all sequences in schema public to ${role};
    ${later} ${tables} tables to ${role};
    ${later} ${sequences} sequences to ${role}`);
  const { rows } = await owner.query<{ name: string }>(
    'select relname as name from pg_class where relnamespace = $1::regnamespace and relname = any($2)',
    ['public', appendOnly],
  );
  for (const { name } of rows) {
    await owner.query(`revoke update, delete on ${owner.escapeIdentifier(name)} from ${role}`);
  }
}
