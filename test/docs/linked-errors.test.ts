import { afterAll, expect, it } from 'vitest';
import { openHouse } from '../house/house.ts';
import { headingsOf, readPage } from './pages.ts';

const house = await openHouse({ env: { DOCS_URL: 'https://docs.example/ocr/' } });
afterAll(() => house[Symbol.asyncDispose]());

it('messages of errors lead to the paragraph of their code, where the pages are served', async () => {
  const { caller } = await house.account();
  const codes = headingsOf(readPage('docs/errors.md'));
  const answers = [
    await house.stranger.get('/v1/usage'),
    await caller.get('/v1/ocr/ocr_01M7W83218355QAKGD2AVSQWH2'),
    await caller.ocr({ engine: 'teseract', input: { type: 'url', url: 'https://example.com/a.png' } }),
    await caller.ocr({}),
  ];
  const seen = answers.map(({ body }) => body.error as { code: string; message: string });
  expect(seen.map(({ code }) => code)).toEqual([
    'authentication_error',
    'not_found',
    'unknown_engine',
    'invalid_request',
  ]);
  for (const { code, message } of seen) {
    expect(message).toMatch(new RegExp(` See https://docs\\.example/ocr/errors#${code}$`));
    expect(codes).toContain(code);
  }
});
