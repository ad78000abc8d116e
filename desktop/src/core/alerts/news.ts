import type { AlertsFollowedSubscription, ToldAlertFragment } from '../../documents.generated.ts';
import { type Alert, alertPath, leftWords } from '../../shared/alerts.ts';

/** The alerts of the gateway at one time. */
export type Told = AlertsFollowedSubscription['alertsChanged'];

/** The notices that were given already: an alert has two, for its beginning and its end. */
export type Known = ReadonlySet<string>;

export interface News {
  readonly alerts: readonly Alert[];
  readonly known: Known;
}

/**
 * The alerts to notify the operator of. At the first look (`known` null) these are only those that fire and are not acknowledged.
 * Alerts that the gateway keeps silent about, in quiet hours or while muted, are left out.
 */
export function newsOf({ firing, ended }: Told, known: Known | null): News {
  const begun = firing.filter(({ toldAt }) => toldAt !== null);
  const over = ended.filter(({ endToldAt }) => endToldAt !== null);
  const isNews = (key: string) => known !== null && !known.has(key);
  return {
    known: new Set(
      [...begun, ...over].flatMap(({ id, endToldAt }) => (endToldAt ? [begins(id), ends(id)] : [begins(id)])),
    ),
    alerts: [
      ...begun
        .filter(({ id, acknowledgedAt }) => (known === null ? acknowledgedAt === null : isNews(begins(id))))
        .map(fires),
      ...over.filter(({ id }) => isNews(ends(id))).map(isOver),
    ],
  };
}

function fires(alert: ToldAlertFragment): Alert {
  const { id, ruleId, severity, title, detail } = alert;
  return { id, ruleId, state: 'firing', severity, title, detail, path: alertPath(alert) };
}

function isOver(alert: ToldAlertFragment): Alert {
  const why = leftWords(alert.endedBy);
  if (why === null) return { ...fires(alert), state: 'recovered' };
  return { ...fires(alert), state: 'left', detail: `${why.charAt(0).toUpperCase()}${why.slice(1)}.` };
}

function begins(id: string): string {
  return `${id} firing`;
}

function ends(id: string): string {
  return `${id} recovered`;
}
