import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ADDED_ROUTES } from '../../contract/added.ts';
import { API_ROUTES } from '../../contract/specified.ts';
import { says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { makeGate } from '../../house/gate.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';

const house = await openHouse({
  engines: { reader: {}, 'org/model:1': {} },
  env: { SLOW_RESPONSE_MS: '50', SLOW_RESPONSE_BEAT_MS: '50' },
});
afterAll(() => house[Symbol.asyncDispose]());
const { caller, apiKey } = await house.account();
const { body: read } = await caller.ocr(await pictureBody());
const { url, dashboardUrl } = house.product;
const bearer = { authorization: `Bearer ${apiKey}` };

/** As it is on the wire: `fetch` unpacks bodies. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET', origin = url) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
    });
    sent.on('error', reject).end();
  });
}

const READS = [...API_ROUTES, ...ADDED_ROUTES]
  .filter(([method]) => method === 'GET')
  .map(([, path]) => path.replace('{request_id}', read.request_id).replace(/\{(engine|model)_id\}/, 'reader'));
const PAGES = ['/livez', '/readyz', '/metrics', '/docs', '/docs/swagger-ui.css', '/openapi.json', '/graphiql'];
/** What differs from call to call. */
const OWN = ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'connection', 'keep-alive'];

function compared({ status, headers }: { status: number; headers: Record<string, unknown> }) {
  return { status, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name))) };
}

describe('HEAD', () => {
  it.each([...READS, ...PAGES])('%s answers as GET does, without a body', async (path) => {
    const got = await raw(path, bearer);
    const head = await raw(path, bearer, 'HEAD');
    expect(head.body).toHaveLength(0);
    if (path.startsWith('/metrics') || path.startsWith('/v1/status')) return expect(head.status).toBe(got.status);
    expect(compared(head)).toEqual(compared(got));
    expect(got.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each(['/', '/status', '/.well-known/jwks.json', '/api/front'])('%s of the dashboard', async (path) => {
    const head = await raw(path, { accept: 'text/html' }, 'HEAD', dashboardUrl);
    expect(head).toMatchObject({ status: 200, headers: { 'x-content-type-options': 'nosniff' } });
    expect(head.body).toHaveLength(0);
  });

  it('is allowed where GET is, and nowhere else', async () => {
    expect((await raw('/v1/usage', bearer, 'DELETE')).headers['allow']).toBe('GET, HEAD');
    const post = await raw('/v1/ocr', bearer, 'HEAD');
    expect([post.status, post.headers['allow']]).toEqual([405, 'POST']);
  });

  it('counts as a call', async () => {
    const { apiKey: counted } = await house.account({ tier: 'free' });
    const left = async (method: string) =>
      Number((await raw('/v1/usage', { authorization: `Bearer ${counted}` }, method)).headers['x-ratelimit-remaining']);
    expect((await left('GET')) - (await left('HEAD'))).toBe(1);
  });
});

describe('a refused call is answered with what keeps browsers from guessing, too', () => {
  const post = {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json', 'idempotency-key': 'refused' },
  };
  const tooLarge = { ...post, body: ' '.repeat(11_000_000) };

  it.each<[string, number, string, RequestInit]>([
    ['the API', 401, `${url}/v1/usage`, {}],
    ['the API', 404, `${url}/v1/nothing`, { headers: bearer }],
    ['the API', 413, `${url}/v1/ocr`, tooLarge],
    ['the API, of GraphQL', 401, `${url}/graphql`, { ...post, headers: {}, body: '{}' }],
    ['the dashboard', 401, `${dashboardUrl}/api/usage`, {}],
    ['the dashboard', 404, `${dashboardUrl}/api/nothing`, {}],
    [
      'the dashboard',
      413,
      `${dashboardUrl}/api/login`,
      { ...tooLarge, headers: { ...post.headers, origin: dashboardUrl } },
    ],
  ])('by %s: %i', async (_name, status, address, call) => {
    const answer = await fetch(address, call);
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([status, 'nosniff']);
  });

  it('by the API: 429', async () => {
    const { caller: quick } = await house.account({ tier: 'free' });
    const replies = await Promise.all(Array.from({ length: 61 }, () => quick.get('/v1/usage')));
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.headers['x-content-type-options']).toBe('nosniff');
  });
});

const SAME_FOR_ALL = ['/v1/engines', '/v1/changelog', '/openapi.json', '/docs/swagger-ui-bundle.js', '/graphiql'];

describe('an answer that is the same for everybody', () => {
  it.each(SAME_FOR_ALL)('%s', async (path) => {
    const first = await raw(path);
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    for (const tags of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await raw(path, { 'if-none-match': tags });
      expect([again.status, again.body.length, again.headers['etag']], tags).toEqual([304, 0, etag]);
    }
    expect((await raw(path, { 'if-none-match': '"other"' })).status).toBe(200);
    expect(first.headers['cache-control']).toMatch(/^public/);
    expect((await raw(path, bearer)).headers['cache-control']).toMatch(/^private/);
  });

  it.each(['/openapi.json', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'])('%s is packed', async (path) => {
    const plain = await raw(path);
    const packed = await raw(path, { 'accept-encoding': 'br, gzip;q=0.8' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    expect((await raw(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  });
});

describe('GET /v1/models/{id}', () => {
  it.each(['reader', 'org/model:1'])('%s is the entry of the list', async (id) => {
    const { body: list } = await caller.get<{ data: { id: string }[] }>('/v1/models');
    const { status, body } = await caller.get(`/v1/models/${encodeURIComponent(id)}`);
    expect(status).toBe(200);
    expect(body).toEqual(list.data.find((model) => model.id === id));
  });

  it('is 404 for another one, and needs a key', async () => {
    expectError(await caller.get('/v1/models/nothing'), 404, 'not_found');
    expectError(await house.stranger.get('/v1/models/reader'), 401, 'authentication_error');
  });
});

it('an answer that begins early asks proxies not to hold it back', async () => {
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('late');
  });
  const early = await fetch(`${url}/v1/ocr`, {
    method: 'POST',
    headers: { ...bearer, 'idempotency-key': 'early', 'content-type': 'application/json' },
    body: JSON.stringify(await pictureBody()),
  });
  expect([early.status, early.headers.get('x-accel-buffering')]).toEqual([202, 'no']);
  gate.open();
  expect(await early.json()).toMatchObject({ http_status: 200, extracted_text: 'late' });
});
