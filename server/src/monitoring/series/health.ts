import type { ProviderFault } from '../../engines/model/provider-fault.ts';
import { enumType } from '../../platform/enum-type.ts';

/** Failed probes in a row after which an engine takes no requests. */
export const UNHEALTHY_AFTER = 2;
/** Failed calls in a row, whenever they were, that make an engine unhealthy: as many as open the circuit breaker. */
const DEAD_AFTER = 5;
const FAILING_AFTER = 2;
/** Recent calls below which a share of failures means nothing, and any failure counts. */
const TELLING_CALLS = 10;
const UNHEALTHY_SHARE = 0.5;
const DEGRADED_SHARE = 0.1;
/**
 * Probability of the latest answers in a row, were calls still failing at their share, below which the share no longer counts.
 */
const CHANCE = 0.001;

/** Faults that one answer proves: every other call would get it, too. */
const PROOFS: Partial<Record<ProviderFault, string>> = {
  credentials_refused: 'its provider refuses the gateway’s credentials',
  no_credit: 'the gateway’s account at its provider has no credit',
};

/**
 * The proven faults, as an SQL list. They stand until something is read, or another proven fault is answered: no other failure
 * says that the credentials are good again.
 */
export const PROVEN_FAULTS = `(${Object.keys(PROOFS)
  .map((fault) => `'${fault}'`)
  .join(', ')})`;

export const HealthStatus = enumType('HealthStatus', 'How an engine is.', {
  healthy: 'It does what it should.',
  degraded: 'A probe failed, or more of the latest requests than usual.',
  unhealthy: 'Probes or most of the latest requests fail, or it is left alone after failures in a row.',
  unknown: 'Nobody has looked, and no recent request tells.',
});
export type HealthStatus = keyof typeof HealthStatus;

export interface Health {
  readonly status: HealthStatus;
  /** Words for what is wrong; null for a healthy engine. */
  readonly detail: string | null;
}

/** The results of an engine's latest probes. */
export interface ProbeRecord {
  /** Failed probes in a row. */
  readonly failures: number;
  readonly detail: string | null;
  /** The fault that the provider answered to the latest probe, where that failed; a proven one stands as it does for calls. */
  readonly fault: ProviderFault | null;
  readonly checkedAt: Date;
}

/** Numbers of calls of the last minutes, and of those among them that failed by the engine's fault. */
export interface RecentCalls {
  readonly recentCalls: number;
  readonly recentFaults: number;
  /** The latest of these calls in a row that did not fail. */
  readonly answeredInRow: number;
}

/** The latest calls in a row of which no page was read. */
export interface FailingCalls {
  readonly failedInRow: number;
  /** End of the first of these failed calls; null where the latest call did not fail. */
  readonly failingSince: Date | null;
  readonly lastFailedAt: Date | null;
  /** The fault that the provider answered to the last failed call; a proven one stands through later ones that are not. */
  readonly providerFault: ProviderFault | null;
}

export interface Signs {
  /** The latest probes; null where there was none of late. */
  readonly probe: ProbeRecord | null;
  /** Whether probes make a real call, and not only ask a health URL. */
  readonly probesRead: boolean;
  readonly calls: RecentCalls & FailingCalls;
  /** Whether the circuit breaker is open. */
  readonly isResting: boolean;
}

/**
 * Judges an engine by its probes, its calls and its circuit breaker; the worst of them counts. An engine that failed last is not
 * well again by time alone, only by a call or a probe that succeeds. A health URL that answers does not outweigh recent calls
 * that fail.
 */
export function judgeHealth({ probe, probesRead, calls, isResting }: Signs): Health {
  const failures = probe?.failures ?? 0;
  // A health URL says less than a call: it is heard where there are no calls to go by.
  const isRefuted = (probesRead || calls.recentCalls === 0) && refutes(probe, calls);
  const inRow = isRefuted ? 0 : calls.failedInRow;
  const fault = providerFaultOf({ probe, probesRead, calls });
  const proof = fault === null ? undefined : PROOFS[fault];
  const telling = calls.recentCalls >= TELLING_CALLS;
  const share = calls.recentCalls === 0 ? 0 : calls.recentFaults / calls.recentCalls;
  const traffic = failuresWords(calls);
  const isOver = (1 - share) ** calls.answeredInRow < CHANCE;
  const streak = `the latest ${calls.failedInRow} calls failed in a row`;
  if (proof) return { status: 'unhealthy', detail: proof };
  if (failures >= UNHEALTHY_AFTER) return { status: 'unhealthy', detail: probe?.detail ?? null };
  if (isResting)
    return { status: 'unhealthy', detail: 'it failed several times in a row and is left alone for a moment' };
  if (inRow >= DEAD_AFTER) return { status: 'unhealthy', detail: streak };
  if (telling && share >= UNHEALTHY_SHARE && !isOver) return { status: 'unhealthy', detail: traffic };
  if (failures > 0) return { status: 'degraded', detail: probe?.detail ?? null };
  if (inRow >= FAILING_AFTER) return { status: 'degraded', detail: streak };
  if (telling && share >= UNHEALTHY_SHARE) {
    return { status: 'degraded', detail: `${traffic}, the latest ${calls.answeredInRow} were answered` };
  }
  if (telling ? share > DEGRADED_SHARE : share > 0 && !isRefuted) return { status: 'degraded', detail: traffic };
  return { status: probe || calls.recentCalls > 0 ? 'healthy' : 'unknown', detail: null };
}

function failuresWords({ recentCalls, recentFaults }: Signs['calls']): string {
  return recentCalls === 1 ? 'the latest call failed' : `${recentFaults} of the latest ${recentCalls} calls failed`;
}

/**
 * The fault that the provider answered, to a probe or to a call, a proven one before any other, until a probe that reads, or a
 * call, is answered otherwise.
 */
export function providerFaultOf({ probe, probesRead, calls }: Omit<Signs, 'isResting'>): ProviderFault | null {
  const ofProbe = probe !== null && probe.failures > 0 ? probe.fault : null;
  const ofCalls = isAnswered({ probe, probesRead, calls }) ? null : calls.providerFault;
  const isProof = (fault: ProviderFault | null) => fault !== null && fault in PROOFS;
  return isProof(ofProbe) || !isProof(ofCalls) ? (ofProbe ?? ofCalls) : ofCalls;
}

/** Whether the latest call did not fail, or a probe that reads has succeeded since. */
export function isAnswered({ probe, probesRead, calls }: Omit<Signs, 'isResting'>): boolean {
  return calls.lastFailedAt === null || (probesRead && refutes(probe, calls));
}

/** Whether a probe has succeeded since the latest calls failed. */
function refutes(probe: ProbeRecord | null, { lastFailedAt }: FailingCalls): boolean {
  return probe !== null && probe.failures === 0 && lastFailedAt !== null && probe.checkedAt > lastFailedAt;
}
