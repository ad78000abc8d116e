import type { AlertKind, AlertRuleInput } from '../../shared/alerts.ts';

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
    name: 'Requests wait for long',
    threshold: { label: 'Oldest waits over', suffix: ' s', perUnit: 1, usual: 60, most: 86_400 },
    ofEngines: true,
  },
  { kind: 'provider_auth', name: 'A provider refuses our credentials', threshold: null, ofEngines: true },
  {
    kind: 'owed_usd',
    name: 'Accounts owe much',
    threshold: { label: 'More than $', suffix: '', perUnit: 1, usual: 10, most: 1_000_000 },
    ofEngines: false,
  },
];

export function ruleKind(kind: AlertKind): RuleKind {
  const found = RULE_KINDS.find((other) => other.kind === kind);
  if (!found) throw new Error(`No such kind of rule: ${kind}`);
  return found;
}

/** The rule of another kind: what does not belong to that kind is as usual. */
export function withKind(rule: AlertRuleInput, kind: AlertKind): AlertRuleInput {
  const { threshold, ofEngines } = ruleKind(kind);
  return {
    ...rule,
    kind,
    threshold: threshold === null ? null : threshold.usual * threshold.perUnit,
    engineId: ofEngines ? rule.engineId : null,
  };
}

/** A new rule as most people want it. */
export const NEW_RULE: AlertRuleInput = {
  kind: 'engine_down',
  engineId: null,
  threshold: null,
  fireAfter: 3,
  recoverAfter: 2,
  cooldownMinutes: 30,
  enabled: true,
};
