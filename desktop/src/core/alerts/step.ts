import type { AlertRuleInput } from '../../shared/alerts.ts';

/** How a rule stands for one engine. */
export interface Standing {
  /** Checks in a row that were bad, or good. */
  readonly bad: number;
  readonly good: number;
  readonly firing: boolean;
  /** Whether its firing was reported. */
  readonly told: boolean;
  readonly toldAtMs: number | null;
}

export const CALM: Standing = { bad: 0, good: 0, firing: false, told: false, toldAtMs: null };

export interface Step {
  readonly next: Standing;
  /** What has to be reported; null: nothing. */
  readonly tell: 'firing' | 'recovered' | null;
}

interface Moment {
  readonly nowMs: number;
  /** Muted, or within quiet hours: what still fires afterwards is announced then. */
  readonly silent: boolean;
}

type Pace = Pick<AlertRuleInput, 'fireAfter' | 'recoverAfter' | 'cooldownMinutes'>;

/** One check: fires after so many bad ones, recovers after so many good ones, and tells each once. */
export function step(before: Standing, bad: boolean | null, rule: Pace, moment: Moment): Step {
  if (bad === null) return { next: before, tell: null };
  const counted = bad ? { bad: before.bad + 1, good: 0 } : { bad: 0, good: before.good + 1 };
  const firing = before.firing ? counted.good < rule.recoverAfter : counted.bad >= rule.fireAfter;
  const standing = { ...before, ...counted, firing };
  if (firing) return fires(standing, rule, moment);
  return {
    next: { ...standing, told: false },
    tell: before.told && !moment.silent ? 'recovered' : null,
  };
}

function fires(standing: Standing, { cooldownMinutes }: Pace, { nowMs, silent }: Moment): Step {
  const cooling = standing.toldAtMs !== null && nowMs - standing.toldAtMs < cooldownMinutes * 60_000;
  if (standing.told || silent || cooling) return { next: standing, tell: null };
  return { next: { ...standing, told: true, toldAtMs: nowMs }, tell: 'firing' };
}
