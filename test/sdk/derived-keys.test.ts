import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { inTypeScript, LANGUAGES } from './languages.ts';
import { openScriptedGateway } from './scripted-gateway.ts';

const SOURCE = 'https://example.com/page.png';
const RESULT = { request_id: 'ocr_1', status: 'succeeded', pages_total: 3 };

/** The keys of reads of one document, each with its options. */
async function keysOf(run: typeof inTypeScript, wishes: readonly Record<string, unknown>[]) {
  await using gateway = await openScriptedGateway(() => ({ body: RESULT }));
  const endings = await run(
    { url: gateway.url },
    wishes.map((options) => ({ method: 'read', source: SOURCE, options })),
  );
  expect(endings.map(({ error }) => error)).toEqual(wishes.map(() => undefined));
  return gateway.heard.filter(({ path }) => path === '/v1/ocr').map(({ headers }) => headers['idempotency-key']);
}

it.each(LANGUAGES)('$language: the same options in another order are the same request', async ({ run }) => {
  const [first, ...others] = await keysOf(run, [
    { engine: 'reader', page_count: 2, mode: 'sync', settings: { dpi: 72, native_settings: { b: 1, a: [2, 1] } } },
    { settings: { native_settings: { a: [2, 1], b: 1 }, dpi: 72 }, mode: 'sync', page_count: 2, engine: 'reader' },
    { engine: 'reader', page_count: 2, mode: 'sync', settings: { dpi: 72, native_settings: { b: 1, a: [1, 2] } } },
    { engine: 'reader', page_count: 3, mode: 'sync', settings: { dpi: 72, native_settings: { b: 1, a: [2, 1] } } },
  ]);
  expect(others[0]).toBe(first);
  expect(new Set([first, ...others]).size).toBe(3);
});

it('an option that is undefined is one that is absent', async () => {
  const [absent, empty] = await keysOf(inTypeScript, [
    { page_count: 2 },
    { page_count: 2, engine: undefined, settings: undefined },
  ]);
  expect(empty).toBe(absent);
});

it('the key of a read with the usual options is that of the versions before', async () => {
  const keys = await keysOf(inTypeScript, [{}, { engine: 'reader', include: ['words'], allPages: true }]);
  expect(keys).toEqual([
    keyOf('{"engine":"tesseract","input":null}'),
    keyOf('{"engine":"reader","include":["words"],"input":null,"page_count":3}'),
  ]);
});

function keyOf(wish: string): string {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  return sha256(`["${sha256(SOURCE)}",${wish}]`);
}
