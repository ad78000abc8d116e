import { afterAll, describe, expect, it } from 'vitest';
import type { EngineAnswer, ListAnswer } from '../../house/answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { openHouse } from '../../house/house.ts';

const benchmark = { hard_score: 80, easy_score: 99, ci: [78, 82] as [number, number], measured_at: '2026-11-01' };
const house = await openHouse({ engines: { reader: { benchmark } } });
const { caller } = await house.account();
afterAll(() => house[Symbol.asyncDispose]());

it('GET /v1/health', async () => {
  const { status, body } = await house.stranger.get<unknown>('/v1/health');
  expect(status).toBe(200);
  expect(body).toEqual({ ok: true });
});

describe('GET /v1/status', () => {
  it('without a key says how many engines there are', async () => {
    const { body: engines } = await house.stranger.get<ListAnswer<EngineAnswer>>('/v1/engines');
    const { body } = await house.stranger.get<unknown>('/v1/status');
    expect(body).toEqual({ ok: true, engine_count: engines.data.length });
  });

  it('with a key adds the version and how long it has been up', async () => {
    const { body } = await caller.get<{ uptime_seconds: number }>('/v1/status');
    expect(body).toMatchObject({
      ok: true,
      engine_count: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(body.uptime_seconds).toSatisfy((value: number) => Number.isInteger(value) && value >= 0);
  });
});

it('GET /v1/engines/health shows the engines on this machine', async () => {
  type Health = ListAnswer<never> & {
    total: number;
    healthy: number;
    engines: { engine_id: string; status: string }[];
  };
  const { status, body } = await house.stranger.get<Health>('/v1/engines/health');
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'engine_health', total: body.engines.length, healthy: expect.any(Number) });
  expect(body.engines.map(({ engine_id }) => engine_id).sort()).toEqual(['pdf-text', 'tesseract']);
  expect(body.healthy).toBe(body.engines.filter((engine) => engine.status === 'healthy').length);
  for (const engine of body.engines) {
    expect(['healthy', 'degraded', 'unhealthy', 'unknown']).toContain(engine.status);
    expect(engine).toMatchObject({ engine_name: expect.any(String), health_url: null, metrics: expect.any(Object) });
    expect(engine).toHaveProperty('detail');
    const metrics = [
      'total_requests',
      'window_size',
      'success_rate',
      'avg_latency_ms',
      'p50_latency_ms',
      'p95_latency_ms',
      'p99_latency_ms',
    ];
    for (const metric of metrics) expect(engine).toHaveProperty(`metrics.${metric}`);
  }
});

it('GET /v1/engines/health?engines=all adds the engines that are not probed, and no other word is taken', async () => {
  type Health = { total: number; engines: { engine_id: string; health_url: string | null }[] };
  const { body } = await house.stranger.get<Health>('/v1/engines/health?engines=all');
  const listed = await house.stranger.get<ListAnswer<{ id: string; status: string }>>('/v1/engines');
  const usable = listed.body.data.filter(({ status }) => status === 'available').map(({ id }) => id);
  expect(body.engines.map(({ engine_id }) => engine_id)).toEqual(usable);
  expect(usable).toContain('reader');
  expect(body.total).toBe(usable.length);
  expectError(await house.stranger.get('/v1/engines/health?engines=some'), 400, 'invalid_request');
});

it('GET /v1/changelog: the current entry lists the X-API-Version header, whose value is its version', async () => {
  type Changelog = { api_version: string; changelog: { version: string; date: string; changes: string[] }[] };
  const { status, headers, body } = await house.stranger.get<Changelog>('/v1/changelog');
  expect(status).toBe(200);
  const current = body.changelog.find(({ version }) => version === body.api_version);
  expect(current?.changes.join('\n')).toContain('X-API-Version');
  expect(headers['x-api-version']).toBe(body.api_version);
  const dates = body.changelog.map(({ date }) => date);
  expect(current?.date).toBe([...dates].sort().at(-1));
});

it('GET /v1/models returns the same benchmark as the catalogue', async () => {
  type Model = { id: string; object: string; owned_by: string; name: string; status: string; benchmark: unknown };
  const { status, body } = await caller.get<ListAnswer<Model>>('/v1/models');
  expect(status).toBe(200);
  expect(body.object).toBe('list');
  const model = body.data.find(({ id }) => id === 'reader');
  expect(model).toEqual({
    id: 'reader',
    object: 'model',
    owned_by: 'provider-of-reader',
    name: 'Scripted reader',
    status: 'available',
    benchmark,
  });
});

it.each(['/livez', '/readyz'])('%s is 200', async (path) => {
  expect((await house.stranger.get(path)).status).toBe(200);
});

it('/metrics speaks the Prometheus text format', async () => {
  const { status, text } = await house.stranger.get('/metrics');
  expect(status).toBe(200);
  expect(text).toMatch(/^# TYPE \w+ (counter|gauge|histogram)$/m);
});
