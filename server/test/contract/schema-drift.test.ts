import { expect, it } from 'vitest';
import { createDatabase } from '../../../test/house/cluster.ts';
import { emptyDatabase } from '../../../test/house/empty-database.ts';
import { readSql } from '../../../test/house/sql.ts';
import { MIGRATIONS } from '../../src/database/migrations/index.ts';
import { migrate, openOrm } from '../../src/database/orm.ts';
import { TABLES } from '../../src/entities.ts';

/**
 * What a class cannot say (indexes, checks, defaults, triggers) stands in the migrations alone; and that each month of the
 * attempts has a primary key of its own.
 */
const ONLY_IN_MIGRATIONS =
  /^drop (index|trigger|function)|drop constraint|(set|drop) default|^alter table "attempt" add constraint "attempt_pkey"/;
/** Tables without a class: counters, stored bytes and checks, which nobody shows as rows. */
const WITHOUT_CLASS =
  /^drop table if exists "(account_identity|alert(_channel|_delivery|_rule|_setting|_standing)?|identity_key|login_failure|audit_entry|demo_engine|doctor_result|account_proof|announced_engine|archived_part|engine_(check|day|hour|hour_cost|hour_latency|probe|state|total|words)|ledger_proof|money_(hour|mark)|export_lease|idempotency_(key(_\d+)?|mark)|key_budget|usage_(day|event|mark|total)|queue_(minute|sampler)|worker_process|lease_holder|queued_request|roll_up_mark|rate_window|secret_key|stored_document|job_page|page_layout|passing_text|refused_(call|hour)|service_version|text_expiry|text_purge|(attempt|ocr_page|page_layout)_(before|default|\d{6}))"/;

it('has classes whose columns are those of the migrated database', async () => {
  const url = await createDatabase();
  const orm = await openOrm(url, TABLES);
  try {
    const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    const columns = difference
      .split('\n')
      .filter((line) => line.trim() !== '' && !ONLY_IN_MIGRATIONS.test(line) && !WITHOUT_CLASS.test(line));
    expect(columns).toEqual([]);
  } finally {
    await orm.close(true);
  }
});

it('migrates once, however many processes start at the same time', async () => {
  const { url } = await emptyDatabase(await createDatabase());
  await Promise.all([migrate(url), migrate(url), migrate(url)]);
  const applied = await readSql<{ name: string }>(url, 'select name from mikro_orm_migrations order by id');
  expect(applied.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
});
