import { randomBytes } from 'node:crypto';
import { runSql } from './sql.ts';

/** A database beside another one in its cluster, without any schema; of a role that is nothing but its owner, if wished. */
export async function emptyDatabase(
  besideUrl: string,
  { ordinaryRole = false }: { ordinaryRole?: boolean } = {},
): Promise<{ url: string }> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  const url = new URL(besideUrl);
  if (ordinaryRole) {
    await runSql(besideUrl, `create role ${name} login nosuperuser password '${name}'`, []);
    await runSql(besideUrl, `create database ${name} owner ${name}`, []);
    url.username = name;
    url.password = name;
  } else {
    await runSql(besideUrl, `create database ${name}`, []);
  }
  url.pathname = `/${name}`;
  return { url: url.href };
}
