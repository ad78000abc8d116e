import { plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import type { AlertKind, AlertsNowFragment } from '../../documents.generated.ts';
import type { RuleDraft } from './rule-kinds.ts';

type QuietHours = NonNullable<AlertsNowFragment['quietHours']>;

const MINUTE_MS = 60_000;

/** What a rule does, in one sentence or two. `nameOf` gives an engine's name. */
export function ruleSentence(
  rule: Omit<RuleDraft, 'id' | 'severity' | 'enabled'>,
  nameOf: (id: string) => string,
): string {
  const subject = rule.engineId === null ? 'any engine' : nameOf(rule.engineId);
  const told = `Tell me when ${condition(rule.kind, subject, rule.threshold ?? 0)}${times(rule.fireAfter)}.`;
  const recovered = `It is over after ${rule.recoverAfter === 1 ? 'one good check' : `${rule.recoverAfter} good checks in a row`}.`;
  const silence = rule.cooldownMinutes > 0 ? ` Then silent for ${duration(rule.cooldownMinutes * MINUTE_MS)}.` : '';
  return `${told} ${recovered}${silence}`;
}

/** The condition alone, such as `the p95 per page of any engine is over 5.0 s`. */
function condition(kind: AlertKind, subject: string, threshold: number): string {
  switch (kind) {
    case 'engine_down':
      return `${subject} is down`;
    case 'latency_p95_ms':
      return `the p95 per page of ${subject} is over ${duration(threshold)}`;
    case 'error_rate':
      return `more than ${bound(threshold)} of what asks for ${subject} ends in an engine error or is refused`;
    case 'queue_age_seconds':
      return `the oldest request for ${subject} has waited for more than ${duration(threshold * 1000)}`;
    case 'provider_auth':
      return `the provider of ${subject} refuses the gateway’s credentials`;
    case 'owed_usd':
      return `accounts owe more than ${money(threshold)} in all`;
    case 'queue_depth':
      return `more than ${plural(threshold, 'request')} ${threshold === 1 ? 'waits' : 'wait'} for ${subject}`;
    case 'pending_costs':
      return `providers have not reported, or not credibly, the cost of more than ${plural(threshold, 'attempt')}`;
    case 'doctor_failed':
      return 'the latest run of the doctor found a problem';
    case 'webhook_age_seconds':
      return `a webhook delivery has been due for more than ${duration(threshold * 1000)}`;
  }
}

function times(checks: number): string {
  return checks === 1 ? '' : ` for ${checks} checks in a row`;
}

/** `Would have fired 3 times in 7 days.` */
export function previewSentence(fired: number, days: number): string {
  const span = days === 1 ? 'the last 24 hours' : `${days} days`;
  if (fired === 0) return `Would not have fired in ${span}.`;
  return `Would have fired ${fired === 1 ? 'once' : `${fired} times`} in ${span}.`;
}

/** `Nothing is sent from 22:00 to 07:00.` */
export function quietSentence(hours: QuietHours | null): string {
  return hours === null
    ? 'No quiet hours: alerts are sent at any time.'
    : `Nothing is sent from ${hours.from} to ${hours.to} (${hours.timeZone}).`;
}

/** A bound that somebody has set, as they would write it: 20 %, and 12.5 %. */
function bound(threshold: number): string {
  return `${Number((threshold * 100).toFixed(1))} %`;
}
