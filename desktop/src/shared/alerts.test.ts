import { expect, it } from 'vitest';
import { alertPath } from './alerts.ts';

function path(kind: string, engineId: string | null = null): string {
  return alertPath({ kind, engineId });
}

it('leads to what shows the cause, not beside it', () => {
  expect(['engine_down', 'error_rate', 'provider_auth'].map((kind) => path(kind, 'a b'))).toEqual(
    Array(3).fill('/engines/a%20b?tab=errors'),
  );
  expect(path('latency_p95_ms', 'a b')).toBe('/engines/a%20b');
  expect([path('queue_age_seconds', 'a b'), path('queue_depth', 'a b')]).toEqual(['/queue', '/queue']);
  expect(path('owed_usd')).toBe('/accounts?owing=1');
  expect(path('pending_costs')).toBe('/accounts?tab=costs');
});

it('leads from late webhooks to the requests that wait for theirs: the list of failed ones has none that is still tried', () => {
  expect(path('webhook_age_seconds')).toBe('/requests?webhook=pending&time=any');
});

it('stays with the alerts where no page shows the cause', () => {
  expect(path('doctor_failed')).toBe('/alerts');
});
