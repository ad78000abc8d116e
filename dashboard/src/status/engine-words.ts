import { plural } from '@ocr-router/ui/format/count.ts';
import { percent, share } from '@ocr-router/ui/format/percent.ts';
import type { EngineLook } from './service-status.ts';

/** What its days say of an engine that is probed; of another one, what its latest calls say. */
export function reliabilityText({ health, uptime }: EngineLook): string {
  if (uptime.overall_uptime_pct !== null) return `${percent(uptime.overall_uptime_pct)} uptime`;
  const { window_size: calls, success_rate: successes } = health.metrics;
  if (successes === null || calls === 0) return 'no calls yet';
  if (calls === 1) return successes === 0 ? 'the latest call failed' : 'the latest call succeeded';
  return `${share(successes)} of the latest ${plural(calls, 'call')} succeeded`;
}

/** Whether it has days to show: an engine that is not probed is known by its calls alone. */
export function isProbed({ uptime }: EngineLook): boolean {
  return uptime.total_checks > 0;
}
