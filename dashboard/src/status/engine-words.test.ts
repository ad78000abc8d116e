import { expect, it } from 'vitest';
import { isProbed, reliabilityText } from './engine-words.ts';
import type { EngineLook } from './service-status.ts';

function look(uptimePct: number | null, calls: number, successes: number | null): EngineLook {
  return {
    health: {
      ...{ engine_id: 'a', engine_name: 'A', health_url: null, status: 'healthy', detail: null },
      metrics: {
        ...{ total_requests: calls, window_size: calls, success_rate: successes, avg_latency_ms: null },
        ...{ p50_latency_ms: null, p95_latency_ms: null, p99_latency_ms: null },
      },
    },
    obstacle: null,
    uptime: {
      ...{ object: 'uptime_history', engine_id: 'a', days: 90, overall_uptime_pct: uptimePct },
      ...{ total_checks: uptimePct === null ? 0 : 10, data: [] },
    },
  } as EngineLook; // the words look at these alone
}

it('says of a probed engine how much of the time it was up, and of another one how its calls went', () => {
  expect(reliabilityText(look(99.5, 100, 0.5))).toBe('99.50 % uptime');
  expect(reliabilityText(look(null, 100, 0.97))).toBe('97.0 % of the latest 100 calls succeeded');
  expect(reliabilityText(look(null, 1, 1))).toBe('the latest call succeeded');
  expect(reliabilityText(look(null, 1, 0))).toBe('the latest call failed');
  expect(reliabilityText(look(null, 0, null))).toBe('no calls yet');
  expect([look(99, 0, null), look(null, 9, 1)].map(isProbed)).toEqual([true, false]);
});
