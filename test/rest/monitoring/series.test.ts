import { afterAll, describe, expect, it } from 'vitest';
import type { ListAnswer, StatsAnswer } from '../../house/answers.ts';
import { fails } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { AT_72_DPI, pdfOfPages } from '../../house/page-sizes.ts';
import { until } from '../../house/until.ts';

const house = await openHouse({ engines: { reader: {}, unused: {}, counted: {} } });
const { caller } = await house.account();
afterAll(() => house[Symbol.asyncDispose]());

describe('statistics', () => {
  it('count requests, pages and errors of real traffic', async () => {
    await caller.ocr(await pictureBody('counted'));
    await caller.ocr(ocrBody('counted', pdfOfPages(3), { ...AT_72_DPI, page_count: 3 }));
    house.engines.script('counted', fails(500, 'down'));
    await caller.ocr(await pictureBody('counted'));
    const stats = await until('the statistics show them', async () => {
      const reply = await house.stranger.get<StatsAnswer>('/v1/engines/counted/stats');
      return reply.status === 200 && reply.body.total_requests === 3 && reply.body;
    });
    expect(stats).toMatchObject({ engine_id: 'counted', avg_latency_ms: expect.any(Number) });
    expect(stats.total_pages).toBeGreaterThanOrEqual(4);
    expect(stats.error_rate).toBeCloseTo(1 / 3, 2);
    expect(stats.last_used).toMatch(/^\d{4}-\d{2}-\d{2}T/);
    const { body: all } = await house.stranger.get<ListAnswer<StatsAnswer>>('/v1/engines/stats');
    expect(all.object).toBe('list');
    expect(all.data).toContainEqual(stats);
  });

  it.each(['unused', 'nobody'])('of %s are not there', async (id) => {
    expectError(await house.stranger.get(`/v1/engines/${id}/stats`), 404, 'not_found');
  });
});

describe('GET /v1/engines/{engine_id}/latency', () => {
  it('has an hour for the requests just made', async () => {
    await caller.ocr(await pictureBody());
    type Latency = { engine_id: string; hours: number; data: { bucket_hour: string; request_count: number }[] };
    const body = await until('the hour shows them', async () => {
      const { body: series } = await house.stranger.get<Latency>('/v1/engines/reader/latency');
      return series.data.length > 0 && series;
    });
    expect(body).toMatchObject({ engine_id: 'reader', hours: 168 });
    const bucket = body.data.find(({ request_count }) => request_count > 0);
    expect(bucket).toMatchObject({
      bucket_hour: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:00/),
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
      p99_ms: expect.any(Number),
      error_count: 0,
    });
  });

  it('is empty where nothing happened, and takes the hours asked for', async () => {
    const { body } = await house.stranger.get<unknown>('/v1/engines/unused/latency?hours=720');
    expect(body).toMatchObject({ engine_id: 'unused', hours: 720, data: [] });
  });

  it.each(['721', 'many', '1.5'])('refuses hours=%s', async (hours) => {
    expectError(await house.stranger.get(`/v1/engines/reader/latency?hours=${hours}`), 400, 'invalid_request', /hours/);
  });
});

describe('GET /v1/engines/{engine_id}/uptime', () => {
  it('covers 30 days unless told otherwise', async () => {
    const { status, body } = await house.stranger.get<Record<string, unknown>>('/v1/engines/reader/uptime');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      engine_id: 'reader',
      days: 30,
      total_checks: expect.any(Number),
      data: expect.any(Array),
    });
    expect(body).toHaveProperty('overall_uptime_pct');
  });

  it('has no percentage where nothing was checked', async () => {
    const { body } = await house.stranger.get<unknown>('/v1/engines/unused/uptime?days=365');
    expect(body).toMatchObject({ days: 365, overall_uptime_pct: null, total_checks: 0, data: [] });
  });

  it.each(['366', 'many'])('refuses days=%s', async (days) => {
    expectError(await house.stranger.get(`/v1/engines/reader/uptime?days=${days}`), 400, 'invalid_request', /days/);
  });
});

it.each(['latency', 'uptime'])('an unknown engine has no %s', async (series) => {
  expectError(await house.stranger.get(`/v1/engines/nobody/${series}`), 404, 'not_found');
});
