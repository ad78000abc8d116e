import type { AlertKind, AlertRuleInput, AlertSeverity } from '../../documents.generated.ts';

/** A rule as it is written; without `id` a new one. */
export interface RuleDraft {
  readonly id?: string;
  readonly kind: AlertKind;
  /** Null: any engine, each watched by itself. Always null where the whole gateway is watched. */
  readonly engineId: string | null;
  /** In the unit of its kind; null for kinds without one. */
  readonly threshold: number | null;
  readonly severity: AlertSeverity;
  readonly fireAfter: number;
  readonly recoverAfter: number;
  readonly cooldownMinutes: number;
  readonly enabled: boolean;
}

/** How a kind of rule is asked for in the form. */
export interface RuleKind {
  readonly kind: AlertKind;
  readonly name: string;
  /** What is asked for as the threshold; null for kinds without one. */
  readonly threshold: {
    readonly label: string;
    readonly suffix: string;
    /** What people type times this is what the rule holds. */
    readonly perUnit: number;
    readonly usual: number;
    readonly most: number;
  } | null;
  /** Whether it watches engines: one, or each by itself. */
  readonly ofEngines: boolean;
}

export const RULE_KINDS: readonly RuleKind[] = [
  { kind: 'engine_down', name: 'An engine is down', threshold: null, ofEngines: true },
  {
    kind: 'latency_p95_ms',
    name: 'An engine is slow (p95 per page)',
    threshold: { label: 'p95 per page over', suffix: ' s', perUnit: 1000, usual: 10, most: 600 },
    ofEngines: true,
  },
  {
    kind: 'error_rate',
    name: 'An engine fails often',
    threshold: { label: 'More than', suffix: ' %', perUnit: 0.01, usual: 5, most: 100 },
    ofEngines: true,
  },
  {
    kind: 'queue_age_seconds',
    name: 'Requests wait too long',
    threshold: { label: 'Oldest waits over', suffix: ' s', perUnit: 1, usual: 60, most: 86_400 },
    ofEngines: true,
  },
  {
    kind: 'queue_depth',
    name: 'Many requests wait',
    threshold: { label: 'More than', suffix: ' requests', perUnit: 1, usual: 100, most: 10_000_000 },
    ofEngines: true,
  },
  { kind: 'provider_auth', name: 'A provider refuses the gateway’s credentials', threshold: null, ofEngines: true },
  {
    kind: 'owed_usd',
    name: 'Accounts owe a lot',
    threshold: { label: 'More than $', suffix: '', perUnit: 1, usual: 10, most: 1_000_000 },
    ofEngines: false,
  },
  {
    kind: 'pending_costs',
    name: 'Providers do not report costs',
    threshold: { label: 'More than', suffix: ' attempts', perUnit: 1, usual: 20, most: 10_000_000 },
    ofEngines: false,
  },
  {
    kind: 'webhook_age_seconds',
    name: 'Webhooks are late',
    threshold: { label: 'Oldest is overdue by', suffix: ' s', perUnit: 1, usual: 300, most: 2_592_000 },
    ofEngines: false,
  },
  { kind: 'doctor_failed', name: 'The doctor finds a problem', threshold: null, ofEngines: false },
];

export function ruleKind(kind: AlertKind): RuleKind {
  const found = RULE_KINDS.find((other) => other.kind === kind);
  if (!found) throw new Error(`No such kind of rule: ${kind}`);
  return found;
}

/** The rule of another kind: what does not belong to that kind is as usual. */
export function withKind(rule: RuleDraft, kind: AlertKind): RuleDraft {
  const { threshold, ofEngines } = ruleKind(kind);
  return {
    ...rule,
    kind,
    threshold: threshold === null ? null : threshold.usual * threshold.perUnit,
    engineId: ofEngines ? rule.engineId : null,
  };
}

/** A new rule as most people want it. */
export const NEW_RULE: RuleDraft = {
  kind: 'engine_down',
  engineId: null,
  threshold: null,
  severity: 'critical',
  fireAfter: 3,
  recoverAfter: 2,
  cooldownMinutes: 30,
  enabled: true,
};

/** What the gateway takes of a rule. */
export function ruleInput({ kind, engineId, threshold, severity, ...pace }: RuleDraft): AlertRuleInput {
  const { fireAfter, recoverAfter, cooldownMinutes, enabled } = pace;
  return { kind, engineId, threshold, severity, fireAfter, recoverAfter, cooldownMinutes, enabled };
}
