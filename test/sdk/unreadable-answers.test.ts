import { expect, it } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { openScriptedGateway } from './scripted-gateway.ts';

const SOURCE = 'https://example.com/page.png';
const RESULT = { request_id: 'ocr_1', status: 'succeeded' };

it.each(LANGUAGES)('$language: only JSON is asked for, and nothing is sent of another wish', async ({ run }) => {
  await using gateway = await openScriptedGateway(() => ({ body: RESULT }));
  const formats = ['text', 'markdown', 'json'];
  const endings = await run(
    { url: gateway.url },
    formats.map((output_format) => ({ method: 'read', source: SOURCE, options: { output_format } })),
  );
  const refused = { code: 'invalid_request', status: 400, message: expect.stringContaining('output') };
  expect(endings.map(({ error }) => error)).toEqual([refused, refused, undefined]);
  expect(gateway.heard.map(({ body }) => JSON.parse(body).output_format)).toEqual(['json']);
});

it.each(LANGUAGES)('$language: an answer of 200 that cannot be read is not asked for again', async ({ run }) => {
  await using gateway = await openScriptedGateway(() => ({ body: '<h1>Welcome</h1>' }));
  const [ending] = await run({ url: gateway.url }, [{ method: 'read', source: SOURCE }]);
  const message = 'HTTP 200 without a body that can be read.';
  expect(ending).toMatchObject({ error: { code: 'connection', status: 200, message }, retries: 0 });
  expect(gateway.heard.length).toBe(1);
});

const JSON_TYPE = 'application/json; charset=utf-8';

it.each(
  LANGUAGES.flatMap((language) => [
    { ...language, cut: 'early, blank', status: 202, type: JSON_TYPE, body: '   ' },
    { ...language, cut: 'early, empty', status: 202, type: JSON_TYPE, body: '' },
    { ...language, cut: 'in its JSON', status: 200, type: JSON_TYPE, body: '  {"request_id": "oc' },
    { ...language, cut: 'blank, of no type of JSON', status: 200, type: 'text/plain', body: ' ' },
  ]),
)('$language: an answer that was cut off ($cut) is asked for again under its key', async ({ run, ...cut }) => {
  const reply = { status: cut.status, body: cut.body, headers: { 'content-type': cut.type } };
  await using gateway = await openScriptedGateway((_call, index) => (index === 0 ? reply : { body: RESULT }));
  const [ending] = await run({ url: gateway.url }, [{ method: 'read', source: SOURCE }]);
  expect(ending).toMatchObject({ result: RESULT, retries: 1 });
  const keys = gateway.heard.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

it.each(LANGUAGES)('$language: an answer that is cut off each time is a broken connection', async ({ run }) => {
  await using gateway = await openScriptedGateway(() => ({ status: 202, body: ' ' }));
  const [ending] = await run({ url: gateway.url }, [{ method: 'read', source: SOURCE }]);
  expect(ending).toMatchObject({ error: { code: 'connection', status: 0 }, retries: gateway.heard.length - 1 });
  expect(gateway.heard.length).toBeGreaterThan(1);
});

it.each(
  LANGUAGES.flatMap((language) => [
    { ...language, words: 'a sentence', status: 503, body: { message: 'Service Unavailable' } },
    { ...language, words: 'an error that is a text', status: 503, body: { error: 'Service Unavailable' } },
    { ...language, words: 'an error that is a list', status: 502, body: { error: ['Bad Gateway'] } },
    { ...language, words: 'a status of its own', status: 503, body: { status: 503, path: '/v1/ocr' } },
  ]),
)("$language: a failure in a proxy's own words ($words) is no outcome", async ({ run, status, body }) => {
  await using gateway = await openScriptedGateway((_call, index) =>
    index === 0 ? { status, body } : { body: RESULT },
  );
  const [ending] = await run({ url: gateway.url }, [{ method: 'read', source: SOURCE }]);
  expect(ending).toMatchObject({ result: RESULT, retries: 1 });
});

it.each(LANGUAGES)('$language: such a failure each time is an error of the client', async ({ run }) => {
  await using gateway = await openScriptedGateway(() => ({ status: 503, body: { error: 'Service Unavailable' } }));
  const [ending] = await run({ url: gateway.url }, [{ method: 'read', source: SOURCE }]);
  const message = 'HTTP 503 without a body that can be read.';
  expect(ending?.error).toEqual({ code: 'connection', status: 503, message });
});

it.each(
  LANGUAGES.flatMap((language) =>
    ['-5', 'soon', '\u00b2', '5 GMT', 'Fri, 99 Nov 2036 10:00:00 GMT', 'Fri, 20 Nov 2020 10:00:00 GMT'].map(
      (asked) => ({ ...language, asked }),
    ),
  ),
)('$language: a Retry-After that is no time ($asked) is not waited for', async ({ run, asked }) => {
  const headers = { 'retry-after': asked };
  const busy = { status: 429, headers, body: { error: { code: 'rate_limited', message: 'Wait.' } } };
  await using gateway = await openScriptedGateway((_call, index) => (index === 0 ? busy : { body: RESULT }));
  const [ending] = await run({ url: gateway.url }, [{ method: 'read', source: SOURCE }]);
  expect(ending).toMatchObject({ result: RESULT, pauses: [0.5] });
});

it.each(LANGUAGES)('$language: an error whose body breaks off is a broken connection', async ({ run }) => {
  const broken = { status: 503, headers: { 'content-length': '100', connection: 'close' }, body: '{"error": ' };
  await using gateway = await openScriptedGateway((_call, index) => (index === 0 ? broken : { body: RESULT }));
  const [ending] = await run({ url: gateway.url }, [{ method: 'read', source: SOURCE }]);
  expect(ending).toMatchObject({ result: RESULT, retries: 1 });
});
