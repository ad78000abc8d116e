import { expect, it } from 'vitest';
import { chartMarks } from './chart-marks.ts';

it('draws the most severe alert over the others, and deployments as moments', () => {
  const [beganAt, endedAt] = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'];
  const marks = chartMarks({
    alerts: [
      { title: 'down', severity: 'critical', beganAt, endedAt: null },
      { title: 'slow', severity: 'warning', beganAt, endedAt },
    ],
    deployments: [{ version: '1.2.0', beganAt }],
  });
  const fromMs = Date.parse(beganAt);
  expect(marks).toEqual([
    { title: 'slow', fromMs, toMs: Date.parse(endedAt), tone: 'degraded' },
    { title: 'down', fromMs, toMs: null, tone: 'down' },
    { title: 'Version 1.2.0 deployed', fromMs, toMs: fromMs, tone: 'deployment' },
  ]);
});
