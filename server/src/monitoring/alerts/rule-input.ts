import { AppError } from '../../platform/errors.ts';
import type { AlertRule, AlertRuleInput } from './alert-rule.ts';
import { type AlertSeverity, THRESHOLDS, watchesEngines } from './kinds/alert-kind.ts';

/** A rule as operators write it, without what only the service knows. */
export interface WrittenRule extends Omit<AlertRule, 'id' | 'mutedUntil' | 'severity'> {
  /** The severity; null where it was not given, as by programs that know none. */
  readonly severity: AlertSeverity | null;
}

const MOST_CHECKS = 120;
const MOST_MINUTES = 1440;
const LONGEST_ENGINE = 200;

/** The rule to be stored, without fields that its kind does not have. Throws `invalid_request`, which names the field. */
export function writtenRule(input: AlertRuleInput): WrittenRule {
  const { kind, fireAfter, recoverAfter, cooldownMinutes, enabled } = input;
  requireRange('fireAfter', fireAfter, { least: 1, most: MOST_CHECKS });
  requireRange('recoverAfter', recoverAfter, { least: 1, most: MOST_CHECKS });
  requireRange('cooldownMinutes', cooldownMinutes, { least: 0, most: MOST_MINUTES });
  return {
    ...{ kind, fireAfter, recoverAfter, cooldownMinutes, enabled },
    severity: input.severity ?? null,
    engineId: engineOf(input),
    threshold: thresholdOf(input),
  };
}

function engineOf({ kind, engineId }: AlertRuleInput): string | null {
  if (engineId == null || !watchesEngines(kind)) return null;
  if (engineId.length <= LONGEST_ENGINE && engineId !== '') return engineId;
  throw new AppError('invalid_request', `engineId: must have 1 to ${LONGEST_ENGINE} characters.`);
}

function thresholdOf({ kind, threshold }: AlertRuleInput): number | null {
  const range = THRESHOLDS[kind];
  if (range === null) return null;
  if (threshold == null) throw new AppError('invalid_request', `threshold: a rule \`${kind}\` needs one.`);
  requireRange('threshold', threshold, range);
  return threshold;
}

function requireRange(name: string, value: number, { least, most }: { least: number; most: number }): void {
  if (value >= least && value <= most) return; // false for what is no number, too
  throw new AppError('invalid_request', `${name}: must be ${least} to ${most}.`);
}
