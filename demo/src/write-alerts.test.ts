import { expect, it } from 'vitest';
import { alertsOf } from './write-alerts.ts';

const PLAN = { start: new Date('2026-10-26T00:00:00Z'), now: new Date('2026-11-25T15:20:00Z'), seed: 'a' };

it('tells of each outage once, and of hours in which an engine failed often', () => {
  const alerts = alertsOf(PLAN);
  const kinds = alerts.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'engine_down').length).toBeGreaterThan(0);
  expect(kinds.filter((kind) => kind === 'error_rate').length).toBeGreaterThan(3);
  expect(alerts.every(({ began_at, ended_at }) => began_at < ended_at && ended_at < PLAN.now.toISOString())).toBe(true);
  expect(alertsOf(PLAN)).toEqual(alerts);
});

it('goes on with the same ones when time has passed', () => {
  const later = alertsOf({ ...PLAN, now: new Date(PLAN.now.getTime() + 86_400_000) }).map(({ id }) => id);
  for (const { id } of alertsOf(PLAN)) expect(later).toContain(id);
});
