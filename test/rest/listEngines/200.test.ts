import { afterAll, expect, it } from 'vitest';
import type { EngineAnswer, ListAnswer } from '../../house/answers.ts';
import { openHouse } from '../../house/house.ts';

const score = (hard_score: number) => ({
  hard_score,
  easy_score: 97.5,
  ci: [hard_score - 1, hard_score + 1] as [number, number],
  measured_at: '2026-11-01',
});
const house = await openHouse({
  engines: {
    middling: { benchmark: score(70.5), price_per_page_usd: 0.002, max_pages_per_request: 7, strengths: ['tables'] },
    best: { benchmark: score(91), recommended: true },
    unmeasured: {},
    worst: { benchmark: score(12) },
    halved: { benchmark: { ...score(99), ci: 1.5 } },
    unfinished: { model: null },
    keyless: { api_key: null, api_key_env: 'NO_SUCH_VARIABLE' },
    whole: { native_pdf: true },
    pictures: { accepts: ['base64', 'png', 'jpeg'] },
  },
});
afterAll(() => house[Symbol.asyncDispose]());

const list = async (query = '') => (await house.stranger.get<ListAnswer<EngineAnswer>>(`/v1/engines${query}`)).body;

it('lists every engine with every field, without a key', async () => {
  const body = await list();
  expect(body.object).toBe('list');
  for (const engine of body.data) {
    expect(engine).toMatchObject({
      id: expect.any(String),
      name: expect.any(String),
      provider: expect.any(String),
      price_per_page_usd: expect.any(Number),
      status: expect.stringMatching(/^(available|coming_soon)$/),
      recommended: expect.any(Boolean),
      accepts: expect.any(Array),
      max_pages_per_request: expect.any(Number),
      native_pdf: expect.any(Boolean),
      supports: expect.any(Array),
      strengths: expect.any(Array),
    });
    expect(engine).toHaveProperty('benchmark');
    for (const kind of engine.supports) expect(['image_url', 'image_base64']).toContain(kind);
  }
});

it('has the built-in engines and those of ENGINES_FILE', async () => {
  const ids = (await list()).data.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['tesseract', 'pdf-text', 'middling', 'best', 'unmeasured', 'worst']));
  expect(new Set(ids).size).toBe(ids.length);
});

it('shows what the operator configured', async () => {
  const engine = (await list()).data.find(({ id }) => id === 'middling');
  expect(engine).toMatchObject({
    name: 'Scripted middling',
    provider: 'provider-of-middling',
    price_per_page_usd: 0.002,
    status: 'available',
    max_pages_per_request: 7,
    native_pdf: false,
    strengths: ['tables'],
    benchmark: { hard_score: 70.5, easy_score: 97.5, ci: [69.5, 71.5], measured_at: '2026-11-01' },
  });
});

it('shows an interval that the operator gave as a distance as low and high', async () => {
  expect((await list()).data.find(({ id }) => id === 'halved')?.benchmark?.ci).toEqual([97.5, 100]);
});

it('is coming soon while its configuration is not complete', async () => {
  const { data } = await list();
  for (const id of ['unfinished', 'keyless'])
    expect(data.find((engine) => engine.id === id)?.status).toBe('coming_soon');
});

it('has no benchmark that was not measured', async () => {
  expect((await list()).data.find(({ id }) => id === 'unmeasured')?.benchmark).toBeNull();
});

it('sorts by the score on hard documents, best first, and those without one last', async () => {
  const { data } = await list('?sort=accuracy');
  const scores = data.map(({ benchmark }) => benchmark?.hard_score ?? null);
  const measured = scores.filter((value) => value !== null);
  expect(measured).toEqual([...measured].sort((a, b) => b - a));
  expect(measured).toEqual(expect.arrayContaining([91, 70.5, 12]));
  expect(scores.slice(measured.length).every((value) => value === null)).toBe(true);
});

it('never shows an engine’s address or key', async () => {
  const text = JSON.stringify(await list());
  expect(text).not.toContain('provider-secret');
  expect(text).not.toContain('/v1"');
});

it('is the same with a key', async () => {
  const { caller } = await house.account();
  expect((await caller.get<ListAnswer<EngineAnswer>>('/v1/engines')).body).toEqual(await list());
});
