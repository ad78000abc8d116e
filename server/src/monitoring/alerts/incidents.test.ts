import { expect, it } from 'vitest';
import { type IncidentAlert, incidentsOf } from './incidents.ts';

const at = (minute: number) => new Date(minute * 60_000);
const nameOf = (id: string) => (id === 'gone' ? null : id.toUpperCase());

function alert(id: string, from: number, to: number | null, more: Partial<IncidentAlert> = {}): IncidentAlert {
  const endedAt = to === null ? null : at(to);
  return { id, kind: 'engine_down', engineId: 'reader', beganAt: at(from), endedAt, ...more };
}

it('says what callers had of it, and nothing of the operator’s own alerts', () => {
  const all = [
    alert('a', 1, 2),
    alert('b', 3, null, { kind: 'provider_auth' }),
    alert('c', 4, 5, { kind: 'queue_age_seconds' }),
    alert('d', 6, 7, { engineId: 'gone' }),
    alert('e', 8, null, { kind: 'latency_p95_ms' }),
  ];
  expect(incidentsOf(all, nameOf)).toEqual([
    {
      ...{ id: 'e', engineId: 'reader', engineName: 'READER', impact: 'slow' },
      ...{ summary: 'READER was slower than usual.', beganAt: at(8), endedAt: null },
    },
    {
      ...{ id: 'a', engineId: 'reader', engineName: 'READER', impact: 'down' },
      ...{ summary: 'READER did not take requests.', beganAt: at(1), endedAt: at(2) },
    },
  ]);
});

it('makes one incident of what overlaps', () => {
  const spans = (alerts: readonly IncidentAlert[]) =>
    incidentsOf(alerts, nameOf).map(({ id, beganAt, endedAt }) => [id, beganAt.getTime() / 60_000, endedAt]);
  expect(spans([alert('b', 2, 9), alert('a', 1, 5), alert('c', 4, 6)])).toEqual([['a', 1, at(9)]]);
  expect(spans([alert('a', 1, 5), alert('b', 4, null), alert('c', 7, 8)])).toEqual([['a', 1, null]]);
  expect(spans([alert('a', 1, 2), alert('b', 3, 4)])).toEqual([
    ['b', 3, at(4)],
    ['a', 1, at(2)],
  ]);
  expect(spans([alert('a', 1, 5), alert('b', 2, 3, { kind: 'error_rate' })])).toHaveLength(2);
  expect(spans([alert('a', 1, 5), alert('b', 2, 3, { engineId: 'other' })])).toHaveLength(2);
});
