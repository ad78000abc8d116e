import { isHighErrorRate } from '@ocr-router/ui/status/error-rate.ts';
import { expect, it } from 'vitest';
import type { EngineWallQuery, HealthStatus } from '../../documents.generated.ts';
import { filterWall, wallEngines } from './wall-engine.ts';

const NOW = Date.parse('2026-11-21T10:25:00Z');

const WALL: EngineWallQuery = {
  engines: [
    engine('beta', 'healthy'),
    engine('alpha', 'healthy'),
    engine('gone', 'unhealthy'),
    engine('slow', 'degraded'),
  ],
  queues: [
    { engineId: 'alpha', queued: 2, running: 1 },
    { engineId: 'slow', queued: 0, running: 1 },
  ],
};

it('has the pinned first, then the worst, then the names in order', () => {
  const ids = (pins: string[]) => wallEngines(WALL, { pins: new Set(pins), nowMs: NOW }).map(({ id }) => id);
  expect(ids([])).toEqual(['gone', 'slow', 'alpha', 'beta']);
  expect(ids(['beta'])).toEqual(['beta', 'gone', 'slow', 'alpha']);
});

it('has the engine with more errors before others in the same state', () => {
  const failing = { ...engine('zeta', 'degraded'), window: { ...engine('zeta', 'degraded').window, errorRate: 1 } };
  const little = { ...engine('beta', 'degraded'), window: { ...engine('beta', 'degraded').window, errorRate: 0.01 } };
  const wall = wallEngines(
    { engines: [engine('alpha', 'degraded'), little, failing], queues: [] },
    { pins: new Set(), nowMs: NOW },
  );
  expect(wall.map(({ id }) => id)).toEqual(['zeta', 'alpha', 'beta']);
  expect(wall.map(({ window }) => isHighErrorRate(window))).toEqual([true, false, false]);
});

it('shares the queue out', () => {
  const shares = wallEngines(WALL, { pins: new Set(), nowMs: NOW }).map(({ id, queueShare }) => [id, queueShare]);
  expect(shares).toEqual([
    ['gone', 0],
    ['slow', 0.25],
    ['alpha', 0.75],
    ['beta', 0],
  ]);
  const [first] = wallEngines({ ...WALL, queues: [] }, { pins: new Set(), nowMs: NOW });
  expect(first?.queueShare).toBeNull();
});

it('filters by text, provider, state and native PDF together', () => {
  const engines = wallEngines(WALL, { pins: new Set(), nowMs: NOW });
  const ids = (filter: Partial<Parameters<typeof filterWall>[1]>) =>
    filterWall(engines, { text: '', provider: null, state: null, nativePdf: false, ...filter }).map(({ id }) => id);
  expect(ids({ text: ' ALP ' })).toEqual(['alpha']);
  expect(ids({ state: 'down' })).toEqual(['gone']);
  expect(ids({ provider: 'local' })).toHaveLength(4);
  expect(ids({ provider: 'elsewhere' })).toEqual([]);
  expect(ids({ nativePdf: true })).toEqual([]);
});

function engine(id: string, status: HealthStatus): EngineWallQuery['engines'][number] {
  return {
    id,
    name: id,
    provider: 'local',
    status: 'available',
    nativePdf: false,
    demo: false,
    pricePerPage: 0.001,
    obstacle: null,
    stateSince: null,
    health: { status, detail: null },
    window: { requests: 0, errors: 0, errorRate: null, p50Ms: null, p95Ms: null, p99Ms: null, unavailable: 0 },
    stats: null,
    latency: [],
    uptime: { overallUptimePct: null, totalChecks: 0, data: [] },
  };
}
