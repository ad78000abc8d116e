import type { Mark } from '@ocr-router/ui/charts/marks.ts';
import type { AlertSeverity } from '../../documents.generated.ts';
import { compareSeverities, SEVERITIES } from './severities.ts';

interface MarkedAlert {
  readonly title: string;
  readonly severity: AlertSeverity;
  readonly beganAt: string;
  readonly endedAt: string | null;
}

interface MarkedDeployment {
  readonly version: string;
  readonly beganAt: string;
}

interface Marked {
  readonly alerts: readonly MarkedAlert[];
  readonly deployments: readonly MarkedDeployment[];
}

/** Alerts and deployments as they are drawn behind a chart: the most severe alert last, over the others. */
export function chartMarks({ alerts, deployments }: Marked): readonly Mark[] {
  return [...alertMarks(alerts), ...deployments.map(deploymentMark)];
}

function alertMarks(alerts: readonly MarkedAlert[]): readonly Mark[] {
  return alerts
    .toSorted((a, b) => compareSeverities(b.severity, a.severity))
    .map(({ title, severity, beganAt, endedAt }) => ({
      title,
      fromMs: Date.parse(beganAt),
      toMs: endedAt === null ? null : Date.parse(endedAt),
      tone: SEVERITIES[severity].tone,
    }));
}

/** A moment. */
function deploymentMark({ version, beganAt }: MarkedDeployment): Mark {
  const atMs = Date.parse(beganAt);
  return { title: `Version ${version} deployed`, fromMs: atMs, toMs: atMs, tone: 'deployment' };
}
