import { expect, it } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { openScriptedGateway, type Reply } from './scripted-gateway.ts';

const UNDER_WAY = { request_id: 'ocr_1', status: 'processing' };
const ENDED = { request_id: 'ocr_1', status: 'succeeded' };

/** What a client pauses for while a request is looked at, and is answered so; then it has ended. */
async function pausesOf(run: (typeof LANGUAGES)[number]['run'], looks: readonly Reply[]): Promise<readonly number[]> {
  await using gateway = await openScriptedGateway(({ method }, index) => {
    if (method === 'POST') return { status: 202, body: UNDER_WAY };
    return looks[index - 1] ?? { body: ENDED };
  });
  const [ending] = await run({ url: gateway.url }, [{ method: 'read', source: 'https://example.com/page.png' }]);
  expect(ending?.result).toEqual(ENDED);
  expect(gateway.heard.length).toBe(looks.length + 2);
  return ending?.pauses ?? [];
}

it.each(LANGUAGES)(
  '$language: who waits long looks less often, and leaves others most of the limit',
  async ({ run }) => {
    const looks = Array.from({ length: 8 }, () => ({ body: UNDER_WAY }));
    expect(await pausesOf(run, looks)).toEqual([0.5, 1, 2, 4, 8, 15, 15, 15]);
  },
);

it.each(LANGUAGES)('$language: no sooner than the answer says is the request looked at again', async ({ run }) => {
  const looks = [
    { body: { ...UNDER_WAY, poll_after_ms: 3000 } },
    { body: UNDER_WAY, headers: { 'Retry-After': '20' } },
    { body: { ...UNDER_WAY, poll_after_ms: 100 } },
    { body: UNDER_WAY, headers: { 'Retry-After': 'Sat, 28 Nov 2026 10:00:00 GMT' } },
    { body: UNDER_WAY, headers: { 'Retry-After': '86400' } },
  ];
  expect(await pausesOf(run, looks)).toEqual([3, 20, 2, 4, 60]);
});

it.each(LANGUAGES)(
  '$language: what was put off is sent again after the pause that the answer asks for',
  async ({ run }) => {
    const later = {
      status: 429,
      body: { error: { code: 'rate_limited', message: 'Later.' } },
      headers: { 'Retry-After': '7' },
    };
    expect(await pausesOf(run, [{ body: UNDER_WAY }, later, { body: UNDER_WAY }])).toEqual([0.5, 7, 1]);
  },
);
