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

/** Of a gateway whose clock is years behind: what counts is the time between both dates. */
function dates(date: string, retryAfter: string): Record<string, string> {
  return { Date: `Fri, 20 Nov 2020 10:${date} GMT`, 'Retry-After': `Fri, 20 Nov 2020 10:${retryAfter} GMT` };
}

it.each(LANGUAGES)('$language: a pause that is asked for as a date is kept, too', async ({ run }) => {
  const body = { error: { code: 'rate_limited', message: 'Later.' } };
  const looks = [
    { body: UNDER_WAY, headers: dates('00:00', '00:20') },
    { status: 503, body, headers: dates('00:10', '00:43') },
    { body: UNDER_WAY, headers: dates('00:00', '30:00') },
    { status: 503, body, headers: dates('30:00', '00:00') },
  ];
  expect(await pausesOf(run, looks)).toEqual([20, 33, 60, 0.5]);
});

it.each(LANGUAGES)('$language: a date without another counts from now', async ({ run }) => {
  const headers = { Date: '', 'Retry-After': new Date(Date.now() + 40_000).toUTCString() };
  const [pause] = await pausesOf(run, [{ body: UNDER_WAY, headers }]);
  expect(pause).toBeGreaterThan(20);
  expect(pause).toBeLessThanOrEqual(40);
});
