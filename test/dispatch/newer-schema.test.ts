import { expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { hostProduct } from '../house/hosted-product.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const NEWER = 'Migration20990101000000_of_the_future';

it('says that the database has a newer schema, names both, and works on', async () => {
  const databaseUrl = await createDatabase();
  const [{ name: ownSchema } = { name: '' }] = await readSql<{ name: string }>(
    databaseUrl,
    'select max(name) as name from mikro_orm_migrations',
  );
  expect(ownSchema).toMatch(/^Migration\d+_/);
  await runSql(databaseUrl, 'insert into mikro_orm_migrations (name) values ($1)', [NEWER]);
  await using admin = await openHouseAdmin(databaseUrl);
  const { apiKey } = await makeAccount(admin);
  await using product = await hostProduct({ databaseUrl });
  const warning = await until('it says so', () =>
    product
      .logs()
      .split('\n')
      .find((line) => line.includes('newer schema')),
  );
  expect(JSON.parse(warning)).toMatchObject({ level: expect.anything(), database: NEWER, program: ownSchema });
  expect((await new Caller(product.url, apiKey).get('/v1/usage')).status).toBe(200);
  expect(await admin.doctor()).toMatchObject({ ok: true, schema: { database: NEWER, program: ownSchema } });
});
