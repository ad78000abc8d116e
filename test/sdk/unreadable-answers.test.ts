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
