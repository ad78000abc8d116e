import type { AlertRule } from './alert-rule.ts';

/** The standing of a rule for one engine, or for the gateway. */
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
  /** What is to be told; null for nothing. */
  readonly tell: 'firing' | 'recovered' | null;
}

export interface Moment {
  readonly nowMs: number;
  /** Muted, or within quiet hours: what still fires afterwards is announced then. */
  readonly silent: boolean;
}

type Pace = Pick<AlertRule, 'fireAfter' | 'recoverAfter' | 'cooldownMinutes'>;

/** Highest count of checks: they are compared with at most 120, so they need not grow further. */
const MOST_COUNTED = 1000;

/** Takes one check into account: fires after so many bad ones, recovers after so many good ones, and tells each once. */
export function step(before: Standing, bad: boolean | null, rule: Pace, moment: Moment): Step {
  if (bad === null) return { next: before, tell: null };
  const counted = bad ? { bad: oneMore(before.bad), good: 0 } : { bad: 0, good: oneMore(before.good) };
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

function oneMore(count: number): number {
  return Math.min(count + 1, MOST_COUNTED);
}
