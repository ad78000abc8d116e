import { type Pool, query } from '../database/pool.ts';

const RECORD = {
  name: 'doctor-record',
  text: `insert into doctor_result (at, failed) values (now(), $1)
         on conflict (only_one) do update set at = excluded.at, failed = excluded.failed`,
};

/** Stores which checks of the latest `doctor` did not hold, for alerts and metrics. */
export async function recordDiagnosis(pool: Pool, checks: readonly { name: string; ok: boolean }[]): Promise<void> {
  const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  await query(pool, RECORD, [failed]);
}
