import { enumType } from '../../platform/enum-type.ts';

/** Failed probes in a row after which an engine takes no requests. */
export const UNHEALTHY_AFTER = 2;
/** Fewer recent calls than this say nothing. */
const TELLING_CALLS = 10;
const UNHEALTHY_SHARE = 0.5;
const DEGRADED_SHARE = 0.1;

export const HealthStatus = enumType('HealthStatus', 'How an engine is.', {
  healthy: 'It does what it should.',
  degraded: 'A probe failed, or more of the latest requests than usual.',
  unhealthy: 'Probes or most of the latest requests fail.',
  unknown: 'Nobody has looked, and too few requests tell.',
});
export type HealthStatus = keyof typeof HealthStatus;

export interface Health {
  readonly status: HealthStatus;
  /** What is wrong, in words; null for a healthy engine. */
  readonly detail: string | null;
}

/** What the latest probes of an engine said. */
export interface ProbeRecord {
  /** Failed probes in a row. */
  readonly failures: number;
  readonly detail: string | null;
}

/** Calls of the last minutes, and those of them that failed on the engine's side. */
export interface RecentCalls {
  readonly recentCalls: number;
  readonly recentFaults: number;
}

/** Judges an engine by its probes (null: none of late) and by its recent traffic; the worse of the two wins. */
export function judgeHealth(probe: ProbeRecord | null, calls: RecentCalls): Health {
  const telling = calls.recentCalls >= TELLING_CALLS;
  const faultShare = telling ? calls.recentFaults / calls.recentCalls : 0;
  const failures = probe?.failures ?? 0;
  const traffic = `${calls.recentFaults} of the latest ${calls.recentCalls} calls failed`;
  if (failures >= UNHEALTHY_AFTER) return { status: 'unhealthy', detail: probe?.detail ?? null };
  if (faultShare >= UNHEALTHY_SHARE) return { status: 'unhealthy', detail: traffic };
  if (failures > 0) return { status: 'degraded', detail: probe?.detail ?? null };
  if (faultShare > DEGRADED_SHARE) return { status: 'degraded', detail: traffic };
  return { status: probe || telling ? 'healthy' : 'unknown', detail: null };
}
