import type { Mark } from '@ocr-router/ui/charts/marks.ts';
import type { AlertSeverity } from '../../documents.generated.ts';
import { compareSeverities, SEVERITIES } from './severities.ts';

interface MarkedAlert {
  readonly title: string;
  readonly severity: AlertSeverity;
  readonly beganAt: string;
  readonly endedAt: string | null;
}

/** Alerts as they are drawn behind a chart: the most severe last, over the others. */
export function alertMarks(alerts: readonly MarkedAlert[]): readonly Mark[] {
  return alerts
    .toSorted((a, b) => compareSeverities(b.severity, a.severity))
    .map(({ title, severity, beganAt, endedAt }) => ({
      title,
      fromMs: Date.parse(beganAt),
      toMs: endedAt === null ? null : Date.parse(endedAt),
      tone: SEVERITIES[severity].tone,
    }));
}
