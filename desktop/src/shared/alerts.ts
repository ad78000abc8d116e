/** How soon somebody must look at an alert. */
export type AlertSeverity = 'critical' | 'warning' | 'info';

/** An alert of the gateway, of which people are told now. */
export interface Alert {
  readonly id: string;
  readonly ruleId: string;
  readonly state: 'firing' | 'recovered';
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

/** The console's address of what an alert is about. */
export function alertPath({ kind, engineId }: { readonly kind: string; readonly engineId: string | null }): string {
  if (kind === 'queue_age_seconds' || kind === 'queue_depth') return '/queue';
  if (kind === 'owed_usd' || kind === 'pending_costs' || kind === 'doctor_failed') return '/accounts';
  return engineId === null ? '/alerts' : `/engines/${encodeURIComponent(engineId)}`;
}
