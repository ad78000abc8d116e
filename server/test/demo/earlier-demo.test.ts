import { expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { migrate } from '../../src/database/orm.ts';
import { MIGRATIONS_TABLE } from '../../src/database/upgrade/migration-script.ts';

it('shows the engines of a demo that an earlier version made, with the health that it gave them', async () => {
  const url = await createDatabase();
  await runSql(url, 'drop table announced_engine', []);
  await runSql(url, `delete from ${MIGRATIONS_TABLE} where name like '%announced_engines'`, []);
  await runSql(url, `insert into demo_engine (id, entry) values ('demo-one', '{"id":"demo-one"}')`, []);
  await runSql(
    url,
    `insert into engine_probe (engine, claimed_at, checked_at)
     select engine, now() - interval '9 days', now() - interval '9 days' from unnest(array['demo-one', 'real']) engine`,
    [],
  );
  await migrate(url);
  expect(await readSql(url, 'select id, entry from announced_engine')).toEqual([
    { id: 'demo-one', entry: { id: 'demo-one' } },
  ]);
  expect(await readSql(url, 'select engine from engine_probe where checked_at > now()')).toEqual([
    { engine: 'demo-one' },
  ]);
});
