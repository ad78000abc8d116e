import type { UptimeDay, UptimeHistory } from '../series/series.type.ts';

/** The uptime of an engine: its days with their sums. */
export function uptimeHistory(engineId: string, days: number, data: UptimeDay[]): UptimeHistory {
  const totalChecks = data.reduce((total, day) => total + day.checksTotal, 0);
  const healthy = data.reduce((total, day) => total + day.checksHealthy, 0);
  const overallUptimePct = totalChecks === 0 ? null : Math.round((10_000 * healthy) / totalChecks) / 100;
  return { engineId, days, overallUptimePct, totalChecks, data };
}
