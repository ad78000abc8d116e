import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { readSql } from '../../../test/house/sql.ts';

const PAGE = join(import.meta.dirname, '../../../docs/scale.md');

/** Table → settings, as the page on scale has them. */
function settingsOfPage(): Record<string, string[]> {
  const [, section = ''] = /\n## Vacuum\n(.*?)\n## /s.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const rows = [...section.matchAll(/^\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
  const codes = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const entries = rows.flatMap(([, , tables, , settings]) =>
    codes(tables).map((name) => [name, codes(settings).sort()]),
  );
  return Object.fromEntries(entries);
}

/** What a table, or each part of one, and its large values are set to. */
const OF_DATABASE = `
  select distinct coalesce(w.relname, c.relname) as name, coalesce(c.reloptions, '{}') ||
    array(select 'toast.' || o from pg_class t, unnest(t.reloptions) o where t.oid = c.reltoastrelid) as settings
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class w on w.oid = i.inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`;

it('each table is vacuumed as the page on scale says', async () => {
  const rows = await readSql<{ name: string; settings: string[] }>(await createDatabase(), OF_DATABASE);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length); // all parts of a table alike
  const found = Object.fromEntries(rows.map(({ name, settings }) => [name, settings.toSorted()]));
  const page = settingsOfPage();
  expect(Object.keys(page).length).toBeGreaterThan(10);
  expect(Object.fromEntries(Object.keys(page).map((name) => [name, found[name]]))).toEqual(page);
  // And no table is vacuumed in another way than the default without standing there.
  const set = Object.entries(found).filter(([, settings]) => settings.some((setting) => setting.includes('vacuum')));
  expect(set.map(([name]) => name).filter((name) => !(name in page))).toEqual([]);
});
