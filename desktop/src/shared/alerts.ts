/** What an alert can watch. `threshold` is in milliseconds, a share of 1, seconds, or USD; the others have none. */
export type AlertKind =
  | 'engine_down'
  | 'latency_p95_ms'
  | 'error_rate'
  | 'queue_age_seconds'
  | 'provider_auth'
  | 'owed_usd';

/** A rule as it is written; without `id` a new one. */
export interface AlertRuleInput {
  readonly id?: string;
  readonly kind: AlertKind;
  /** Null: any engine, each watched by itself. Always null for `owed_usd`. */
  readonly engineId: string | null;
  readonly threshold: number | null;
  /** Checks in a row that must be bad before it fires. */
  readonly fireAfter: number;
  /** Checks in a row that must be good before it recovers. */
  readonly recoverAfter: number;
  /** After it has fired, the same alert is silent for so long. */
  readonly cooldownMinutes: number;
  readonly enabled: boolean;
}

export interface AlertRule extends AlertRuleInput {
  readonly id: string;
  readonly mutedUntil: string | null;
}

/** Local times of day, `HH:MM`; from 22:00 to 07:00 runs over midnight. Nothing is told meanwhile. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/** A rule that holds for one engine, or for the gateway. */
export interface Alert {
  readonly ruleId: string;
  readonly kind: AlertKind;
  readonly state: 'firing' | 'recovered';
  readonly engineId: string | null;
  readonly title: string;
  readonly detail: string;
  readonly at: string;
  /** The console's address of what it is about, such as `/engines/reader`. */
  readonly path: string;
}

/** The rules of the selected profile, and how they stand. */
export interface AlertOverview {
  readonly rules: readonly AlertRule[];
  readonly quietHours: QuietHours | null;
  /** All rules are silent until then. */
  readonly mutedUntil: string | null;
  readonly firing: readonly Alert[];
  readonly checkEverySeconds: number;
  /** Null before the first check. */
  readonly lastCheckAt: string | null;
}

/** What happened within a minute, told at once. */
export interface AlertNotice {
  readonly title: string;
  readonly body: string;
  readonly path: string;
  readonly alerts: readonly Alert[];
}

/** When a rule would have fired, by what the gateway still knows. */
export interface AlertPreview {
  readonly days: number;
  readonly fired: ReadonlyArray<{ readonly at: string; readonly engineId: string | null; readonly detail: string }>;
  /** Why there is nothing to look back at; null where there is. */
  readonly unknown: string | null;
}
