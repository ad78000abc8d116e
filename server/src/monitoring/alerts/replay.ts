import type { WrittenRule } from './rule-input.ts';
import { CALM, step } from './step.ts';

/** A stretch of time in which a rule sees the same thing. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bad: boolean | null;
  readonly detail: string;
}

/** A moment at which a rule would have been told, and what. */
export interface Fired {
  readonly at: Date;
  readonly engineId: string | null;
  readonly detail: string;
}

/** Finds when a rule would have been told, check by check through the stretches. */
export function replay(
  rule: WrittenRule,
  stretches: readonly Stretch[],
  at: { readonly engineId: string | null; readonly checkEveryMs: number },
): Fired[] {
  const fired: Fired[] = [];
  let standing = CALM;
  for (const { fromMs, toMs, bad, detail } of stretches) {
    for (let nowMs = fromMs; nowMs < toMs; nowMs += at.checkEveryMs) {
      const { next, tell } = step(standing, bad, rule, { nowMs, silent: false });
      standing = next;
      if (tell === 'firing') fired.push({ at: new Date(nowMs), engineId: at.engineId, detail });
    }
  }
  return fired;
}
