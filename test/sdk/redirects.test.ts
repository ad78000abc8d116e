import { expect, it } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { openScriptedGateway } from './scripted-gateway.ts';

const RESULT = { request_id: 'ocr_1', status: 'succeeded', extracted_text: 'of somebody else', data: [] };
const CALLS = [{ method: 'read', source: 'https://example.com/page.png' } as const, { method: 'engines' } as const];

it.each(LANGUAGES)('$language: no other host gets a call, or its key, by a redirect', async ({ run }) => {
  await using other = await openScriptedGateway(() => ({ body: RESULT }));
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `${other.url}/v1/elsewhere`;
    await using gateway = await openScriptedGateway(() => ({ status, headers: { location }, body: RESULT }));
    const endings = await run({ url: gateway.url }, CALLS);
    const refused = { code: 'connection', status, message: expect.stringContaining(location) };
    expect(endings.map(({ error }) => error)).toEqual([refused, refused]);
    expect(endings.map(({ retries }) => retries)).toEqual([0, 0]);
    expect(gateway.heard.map(({ method }) => method)).toEqual(['POST', 'GET']);
  }
  expect(other.heard).toEqual([]);
});
