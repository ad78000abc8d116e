import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import type { EngineCheck } from './engine-check.type.ts';

/** Most checks of a day, more than it has at the usual interval of probes. */
const MOST = 1500;

const OF_DAY = {
  name: 'engine-checks-of-day',
  text: `select checked_at as at, healthy, latency_ms as "latencyMs", detail from engine_check
         where engine = $1 and checked_at >= $2 and checked_at < $2 + interval '1 day' order by checked_at limit ${MOST}`,
};

/** The health checks of one engine on a day (UTC, YYYY-MM-DD), in order. Throws `invalid_request` where there is no such day. */
export async function checksOfDay(pool: Pool, engineId: string, date: string): Promise<EngineCheck[]> {
  const day = new Date(`${date}T00:00:00Z`);
  if (!isDay(date, day)) {
    throw new AppError('invalid_request', 'date: must be a day, YYYY-MM-DD.');
  }
  return query<EngineCheck>(pool, OF_DAY, [engineId, day]);
}

/** Whether a text is a day. `Date` reads one that a month does not have as a day of the next month. */
function isDay(date: string, day: Date): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
