import { expect, it } from 'vitest';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
const origin = 'https://app.example.com';

const names = (header: string | undefined) => (header ?? '').toLowerCase().split(/, */);

it('a page of any origin can read every header of a text answer', async () => {
  const { caller } = await house.account();
  const { headers } = await caller.ocr(await pictureBody('reader', { output_format: 'text' }), { headers: { origin } });
  expect(['*', origin]).toContain(headers['access-control-allow-origin']);
  expect(names(headers['access-control-expose-headers'])).toEqual(
    expect.arrayContaining([
      'x-ocr-pages',
      'x-ocr-pages-total',
      'x-ocr-warnings',
      'x-request-id',
      'x-api-version',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'retry-after',
      'idempotent-replayed',
    ]),
  );
});

it('errors can be read, too', async () => {
  const { status, headers } = await house.stranger.ocr({}, { headers: { origin } });
  expect(status).toBe(401);
  expect(['*', origin]).toContain(headers['access-control-allow-origin']);
});

it('a preflight is answered without a key', async () => {
  const { status, headers } = await house.stranger.call('OPTIONS', '/v1/ocr', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(300);
  expect(['*', origin]).toContain(headers['access-control-allow-origin']);
  expect(names(headers['access-control-allow-methods'])).toContain('post');
  const allowed = names(headers['access-control-allow-headers']);
  expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'idempotency-key']));
});

it('no credentials of a browser are ever invited', async () => {
  const { headers } = await house.stranger.get('/v1/health', { headers: { origin } });
  expect(headers['access-control-allow-credentials']).not.toBe('true');
});

it('the figures for Prometheus are for no page', async () => {
  const { status, headers } = await house.stranger.get('/metrics', { headers: { origin } });
  expect(status).toBe(200);
  expect(headers['access-control-allow-origin']).toBeUndefined();
});
