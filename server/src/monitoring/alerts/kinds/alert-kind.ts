import { enumType } from '../../../platform/enum-type.ts';

export const AlertKind = enumType('AlertKind', 'What an alert rule watches, and what its threshold is.', {
  engine_down: 'An engine is down. No threshold.',
  latency_p95_ms: 'The 95th percentile of an engine’s time per page in the last hour, in milliseconds.',
  error_rate:
    'Engine errors and refused calls (503) of an engine over its runs and these calls, in the last hour, 0 to 1.',
  queue_age_seconds: 'How long the oldest request has waited for an engine, in seconds.',
  queue_depth: 'How many requests wait for an engine.',
  provider_auth: 'The provider of an engine refuses the gateway’s credentials. No threshold.',
  owed_usd: 'What all accounts owe together, in USD.',
  pending_costs: 'How many attempts have a cost that their provider has not reported.',
  webhook_age_seconds: 'How long the oldest webhook delivery has been due, in seconds.',
  doctor_failed: 'The latest run of `doctor` found a problem. No threshold.',
});
export type AlertKind = keyof typeof AlertKind;

/** Ranges of thresholds by kind; null for kinds without one. */
export const THRESHOLDS: Readonly<Record<AlertKind, { readonly least: number; readonly most: number } | null>> = {
  engine_down: null,
  latency_p95_ms: { least: 1, most: 3_600_000 },
  error_rate: { least: 0, most: 1 },
  queue_age_seconds: { least: 0, most: 86_400 },
  queue_depth: { least: 0, most: 10_000_000 },
  provider_auth: null,
  owed_usd: { least: 0, most: 1_000_000 },
  pending_costs: { least: 0, most: 10_000_000 },
  webhook_age_seconds: { least: 0, most: 2_592_000 },
  doctor_failed: null,
};

const OF_THE_GATEWAY: readonly AlertKind[] = ['owed_usd', 'pending_costs', 'webhook_age_seconds', 'doctor_failed'];

/** Whether a kind watches engines, each by itself; others watch the gateway as a whole. */
export function watchesEngines(kind: AlertKind): boolean {
  return !OF_THE_GATEWAY.includes(kind);
}

export const AlertSeverity = enumType(
  'AlertSeverity',
  'How soon somebody must look at an alert, the most severe first.',
  {
    critical: 'Somebody must look at once.',
    warning: 'Somebody must look soon.',
    info: 'Nobody has to do anything.',
  },
);
export type AlertSeverity = keyof typeof AlertSeverity;

/** The severity of a rule that names none, and of all rules from before there were severities. */
export const USUAL_SEVERITY: AlertSeverity = 'critical';

export const AlertEnd = enumType(
  'AlertEnd',
  'Why an alert ended; after anything but a recovery, nobody knows how what it watched is.',
  {
    recovery: 'What it found was over.',
    rule_changed: 'Its rule watches something else now.',
    rule_switched_off: 'Its rule was switched off.',
    rule_removed: 'Its rule was removed.',
    engine_removed: 'Its engine is no longer in the catalogue.',
  },
);
export type AlertEnd = keyof typeof AlertEnd;

export const IncidentImpact = enumType('IncidentImpact', 'What callers of an engine had of an incident.', {
  down: 'Its requests failed, or were refused.',
  failing: 'More of them failed than usual.',
  slow: 'They took longer than usual.',
});
export type IncidentImpact = keyof typeof IncidentImpact;
