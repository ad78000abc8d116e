import type { AlertKind, AlertRuleInput, QuietHours } from '../../shared/alerts.ts';
import { countOf, fieldsOf, flagOf, nullableTextOf, numberOf, optionalTextOf } from '../fields.ts';
import { Refused } from '../refused.ts';

const FIELDS = [
  'id',
  'kind',
  'engineId',
  'threshold',
  'fireAfter',
  'recoverAfter',
  'cooldownMinutes',
  'enabled',
  'mutedUntil',
];

/** What a threshold may be; null where there is nothing to compare with. */
const THRESHOLDS: Record<AlertKind, { readonly least: number; readonly most: number } | null> = {
  engine_down: null,
  latency_p95_ms: { least: 1, most: 3_600_000 },
  error_rate: { least: 0, most: 1 },
  queue_age_seconds: { least: 0, most: 86_400 },
  provider_auth: null,
  owed_usd: { least: 0, most: 1_000_000 },
};

/** A rule as the page may send it, or as the file holds it. */
export function ruleInput(input: unknown): AlertRuleInput {
  const fields = fieldsOf(input, FIELDS);
  const kind = kindOf(fields['kind']);
  const range = THRESHOLDS[kind];
  const id = optionalTextOf(fields, 'id', { most: 100 });
  const engineId = nullableTextOf(fields, 'engineId', { most: 200 });
  return {
    ...(id !== undefined && { id }),
    kind,
    engineId: kind === 'owed_usd' ? null : engineId,
    threshold: range && numberOf(fields, 'threshold', range),
    fireAfter: countOf(fields, 'fireAfter', { least: 1, most: 120 }),
    recoverAfter: countOf(fields, 'recoverAfter', { least: 1, most: 120 }),
    cooldownMinutes: numberOf(fields, 'cooldownMinutes', { least: 0, most: 1440 }),
    enabled: flagOf(fields, 'enabled'),
  };
}

export function quietHoursInput(input: unknown): QuietHours | null {
  if (input === null) return null;
  const { from, to } = fieldsOf(input, ['from', 'to']);
  if (!isTimeOfDay(from) || !isTimeOfDay(to)) throw new Refused('A time of day is written as HH:MM.');
  return from === to ? null : { from, to };
}

function kindOf(value: unknown): AlertKind {
  if (typeof value === 'string' && Object.hasOwn(THRESHOLDS, value)) return value as AlertKind; // a key of the table
  throw new Refused('There is no such kind of alert.');
}

function isTimeOfDay(value: unknown): value is string {
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
}
