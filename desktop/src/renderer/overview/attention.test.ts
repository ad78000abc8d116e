import { expect, it } from 'vitest';
import type { OverviewQuery } from '../../documents.generated.ts';
import { attention } from './attention.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

const QUIET: OverviewQuery = {
  overview: {
    requests: 100,
    failed: 0,
    refused: 0,
    errorRate: 0,
    p50Ms: 500,
    p95Ms: 900,
    p99Ms: 1000,
    spent: 1,
    chargedOnFailures: 0,
    owed: 0,
  },
  refusedCalls: [],
  quietSince: null,
  engines: [engine('a')],
  queues: [{ engineId: 'a', queued: 3, running: 1, oldestAgeSeconds: 4 }],
  pendingCosts: [],
};

it('is empty when all is quiet', () => {
  expect(attention(QUIET, NOW)).toEqual([]);
});

it('puts what is down before what is slow, old or owed', () => {
  const down = {
    ...engine('b'),
    health: { status: 'unhealthy' as const, detail: 'connection refused' },
    stateSince: '2026-11-21T09:48:00Z',
    lastError: 'The provider answered HTTP 500.',
  };
  const items = attention(
    {
      ...QUIET,
      overview: { ...QUIET.overview, owed: 1.5 },
      engines: [{ ...engine('a'), health: { status: 'degraded', detail: null } }, down],
      queues: [{ engineId: 'a', queued: 1, running: 0, oldestAgeSeconds: 61 }],
      pendingCosts: [{ attemptId: 'att_1', usageDoubted: false }],
    },
    NOW,
  );
  expect(items.map(({ title, href }) => [title, href])).toEqual([
    ['Engine b has been down for 12 min', '/requests?engine=b&status=failed'],
    ['Engine a is degraded', '/requests?engine=a&status=failed'],
    ['The oldest request for Engine a has waited 1 min 1 s', '/queue'],
    ['Accounts owe $1.50', '/accounts?owing=1'],
    ['The cost of 1 attempt is not known yet', '/accounts?tab=costs'],
  ]);
  expect(items[0]?.detail).toBe('connection refused · The provider answered HTTP 500.');
});

it('looks at a share of failures only where there were requests enough', () => {
  const failing = (requests: number) => ({ ...engine('a'), window: { requests, errorRate: 0.2, p95Ms: 900 } });
  expect(attention({ ...QUIET, engines: [failing(19)] }, NOW)).toEqual([]);
  expect(attention({ ...QUIET, engines: [failing(20)] }, NOW).map(({ title }) => title)).toEqual([
    '20.0 % of runs on Engine a end in an engine error',
  ]);
});

it('calls an engine down as soon as its circuit is open', () => {
  const resting = { ...engine('a'), obstacle: 'resting' as const };
  expect(attention({ ...QUIET, engines: [resting] }, NOW)).toMatchObject([{ word: 'Down', title: 'Engine a is down' }]);
});

it('leaves a disabled engine alone', () => {
  const disabled: OverviewQuery['engines'][number] = {
    ...engine('a'),
    obstacle: 'disabled',
    health: { status: 'unhealthy', detail: null },
  };
  expect(attention({ ...QUIET, engines: [disabled] }, NOW)).toEqual([]);
});

function engine(id: string): OverviewQuery['engines'][number] {
  return {
    id,
    name: `Engine ${id}`,
    obstacle: null,
    stateSince: null,
    lastError: null,
    health: { status: 'healthy', detail: null },
    window: { requests: 100, errorRate: 0, p95Ms: 900 },
  };
}

it('says why costs are not known: not reported, or not believed', () => {
  const detail = (...doubts: boolean[]) =>
    attention(
      { ...QUIET, pendingCosts: doubts.map((usageDoubted, i) => ({ attemptId: `att_${i}`, usageDoubted })) },
      NOW,
    )[0]?.detail;
  expect(detail(false, false)).toBe('Their providers have not reported it.');
  expect(detail(true)).toBe('Their providers reported a usage that is not credible.');
  expect(detail(true, false)).toBe(
    'Their providers have not reported it, or reported a usage that is not credible (1).',
  );
});
