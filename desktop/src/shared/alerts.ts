/** How soon somebody must look at an alert. */
export type AlertSeverity = 'critical' | 'warning' | 'info';

/** An alert of the gateway, of which people are told now. */
export interface Alert {
  readonly id: string;
  readonly ruleId: string;
  /** Left: it ended without a sign that it is well again; its detail says why. */
  readonly state: 'firing' | 'recovered' | 'left';
  readonly severity: AlertSeverity;
  readonly title: string;
  readonly detail: string;
  /** The console's address of what it is about, such as `/engines/reader`. */
  readonly path: string;
}

/** What happened within a minute, told at once. */
export interface AlertNotice {
  readonly title: string;
  readonly body: string;
  readonly path: string;
  readonly alerts: readonly Alert[];
}

/** Why an alert is no longer watched; null where it has recovered, and where that is not known. */
export function leftWords(endedBy: string | null): string | null {
  return LEFT[endedBy ?? ''] ?? null;
}

const LEFT: Readonly<Record<string, string>> = {
  rule_changed: 'its rule was changed',
  rule_switched_off: 'its rule was switched off',
  rule_removed: 'its rule was removed',
  engine_removed: 'its engine is no longer in the catalogue',
};

/** The console's address of what an alert is about: where its cause is to be seen. */
export function alertPath({ kind, engineId }: { readonly kind: string; readonly engineId: string | null }): string {
  const ofGateway = PATHS[kind];
  if (ofGateway !== undefined) return ofGateway;
  if (engineId === null) return '/alerts';
  const engine = `/engines/${encodeURIComponent(engineId)}`;
  return FAILURES.includes(kind) ? `${engine}?tab=errors` : engine;
}

const PATHS: Readonly<Record<string, string>> = {
  queue_age_seconds: '/queue',
  queue_depth: '/queue',
  owed_usd: '/accounts?owing=1',
  pending_costs: '/accounts?tab=costs',
  // Those that are late are still tried: `/webhooks` lists the ones that were given up.
  webhook_age_seconds: '/requests?webhook=pending&time=any',
};
const FAILURES: readonly string[] = ['engine_down', 'error_rate', 'provider_auth'];
