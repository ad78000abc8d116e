import { spawnSync } from 'node:child_process';
import { OcrRouter } from '@ocr-router/client';
import { afterEach, expect, it, vi } from 'vitest';
import { inTypeScript, LANGUAGES, SOURCE } from './languages.ts';
import { openScriptedGateway } from './scripted-gateway.ts';

const RESULT = { request_id: 'ocr_1', status: 'succeeded', data: [] };
const PAGE = 'https://example.com/page.png';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each(LANGUAGES)('$language: an API key that no header can have is an error at once', async ({ run }) => {
  await using gateway = await openScriptedGateway(() => ({ body: RESULT }));
  const refused = { code: 'authentication_error', status: 401, message: expect.stringContaining('API key') };
  for (const apiKey of ['sk-ocr-…', 'sk-ocr-\r\nsecret', 'sk-ocr-\u0000']) {
    const endings = await run({ url: gateway.url, apiKey }, [{ method: 'engines' }, { method: 'read', source: PAGE }]);
    expect(endings.map(({ error, pauses }) => ({ error, pauses }))).toEqual([
      { error: refused, pauses: [] },
      { error: refused, pauses: [] },
    ]);
    expect(JSON.stringify(endings)).not.toContain('sk-ocr');
  }
  expect(gateway.heard).toEqual([]);
});

it.each(LANGUAGES)('$language: a line end around the API key is none of it', async ({ run }) => {
  await using gateway = await openScriptedGateway(() => ({ body: RESULT }));
  await run({ url: gateway.url, apiKey: ' sk-ocr-secret\n' }, [{ method: 'engines' }]);
  expect(gateway.heard.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-ocr-secret']);
});

it.each(LANGUAGES)('$language: nor is anything sent with such an Idempotency-Key', async ({ run }) => {
  await using gateway = await openScriptedGateway(() => ({ body: RESULT }));
  const keys = ['invoice-№-42', 'invoice\n42', '\u0000', 'invoice 42'];
  const endings = await run(
    { url: gateway.url },
    keys.map((idempotencyKey) => ({ method: 'read', source: PAGE, options: { idempotencyKey } })),
  );
  const refused = { code: 'invalid_request', status: 400, message: expect.stringContaining('Idempotency-Key') };
  expect(endings.map(({ error }) => error)).toEqual([refused, refused, refused, undefined]);
  expect(endings.flatMap(({ pauses }) => pauses)).toEqual([]);
  expect(gateway.heard.map(({ headers }) => headers['idempotency-key'])).toEqual(['invoice 42']);
});

it.each(LANGUAGES)('$language: an address that is none is an error at once', async ({ run }) => {
  for (const url of ['gateway', 'localhost:8080', 'http://[::1', 'http://gateway:port', 'ftp://gateway']) {
    const [ending] = await run({ url }, [{ method: 'engines' }]);
    expect(ending?.error).toEqual({ code: 'connection', status: 0, message: expect.stringContaining(url) });
    expect(ending?.pauses).toEqual([]);
  }
});

it.each(LANGUAGES)('$language: a line end or a blank around the address is none of it', async ({ run }) => {
  await using gateway = await openScriptedGateway(() => ({ body: RESULT }));
  for (const url of [`${gateway.url}\r`, `${gateway.url}/\n`, ` ${gateway.url} `]) {
    const [ending] = await run({ url }, [{ method: 'engines' }]);
    expect(ending).toMatchObject({ result: [], retries: 0 });
  }
});

it('TypeScript: an empty OCR_ROUTER_URL is one that is not set', async () => {
  vi.stubEnv('OCR_ROUTER_URL', '');
  const asked: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    asked.push(String(url));
    return Response.json(RESULT);
  };
  await new OcrRouter({ apiKey: 'sk', fetch }).engines();
  expect(asked).toEqual(['http://127.0.0.1:8080/v1/engines']);
});

/** Where a client of no settings connects to. */
const WHERE = `
import socket
from ocr_router import OcrError, OcrRouter

def refuse(address, *_, **__):
    print(*address)
    raise OSError("refused")

socket.create_connection = refuse
try:
    OcrRouter(retries=0).engines()
except OcrError:
    pass
`;

it.skipIf(LANGUAGES.every(({ run }) => run === inTypeScript))(
  'Python: an empty OCR_ROUTER_URL is one that is not set',
  () => {
    const env = { PATH: process.env['PATH'], PYTHONPATH: SOURCE, OCR_ROUTER_URL: '', no_proxy: '*' };
    const { stdout, stderr } = spawnSync('python3', ['-B', '-c', WHERE], { env, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['127.0.0.1 8080\n', '']);
  },
);
