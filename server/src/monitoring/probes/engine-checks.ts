import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import type { EngineCheck } from './engine-check.type.ts';

/** More than a day has at the usual interval of probes. */
const MOST = 1500;

const OF_DAY = {
  name: 'engine-checks-of-day',
  text: `select checked_at as at, healthy, latency_ms as "latencyMs", detail from engine_check
         where engine = $1 and checked_at >= $2 and checked_at < $2 + interval '1 day' order by checked_at limit ${MOST}`,
};

/** Every health check of one engine on a day (UTC, YYYY-MM-DD), in order. Throws `invalid_request` for no such day. */
export async function checksOfDay(pool: Pool, engineId: string, date: string): Promise<EngineCheck[]> {
  const day = new Date(`${date}T00:00:00Z`);
  if (!isDay(date, day)) {
    throw new AppError('invalid_request', 'date: must be a day, YYYY-MM-DD.');
  }
  return query<EngineCheck & Record<string, unknown>>(pool, OF_DAY, [engineId, day]);
}

/** A date that a month does not have is read as one of the next. */
function isDay(date: string, day: Date): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
