import type { DemoPlan, Seeded } from '@ocr-router/demo';
import type { Pool } from '../database/pool.ts';
import { RollUp } from '../monitoring/series/roll-up.job.ts';
import type { Log } from '../platform/logging/log.ts';
import { ReportRollUp } from '../usage/report-roll-up.job.ts';

/** Fills the gateway with the demo, and rolls up at once what a running server would: the figures are complete then. */
export async function seedDemo(pool: Pool, plan: DemoPlan, log: Log): Promise<Seeded> {
  const { seedDemo: write } = await import('@ocr-router/demo');
  const seeded = await write(pool, plan);
  await using engines = new RollUp(pool, log);
  await using reports = new ReportRollUp(pool, log);
  await engines.roll();
  await reports.roll();
  return seeded;
}
