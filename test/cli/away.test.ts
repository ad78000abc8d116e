import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OcrRouter } from '@ocr-router/client';
import { afterAll, expect, it } from 'vitest';
import { RetryPolicy } from '../../cli/src/read/retry-policy.ts';
import { freePorts } from '../house/free-ports.ts';
import { picture } from '../house/pictures.ts';
import { RouterCommand } from './command.ts';

const folder = await mkdtemp(join(tmpdir(), 'ocr-away-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A client whose calls are answered so, one after the other, and then as the last one; what was said to people. */
function open(answers: (() => Response)[], limits: { firstMs: number; laterMs: number }) {
  const said: string[] = [];
  const policy = new RetryPolicy((text) => said.push(text), limits);
  const answer = async () => (answers.length > 1 ? answers.shift() : answers[0])?.() as Response; // there is one
  const wish = { retries: Number.POSITIVE_INFINITY, onRetry: policy.onRetry, fetch: policy.over(answer) };
  return { client: new OcrRouter({ url: 'http://gateway', apiKey: 'sk', ...wish }), said };
}

const ok = () => Response.json({ data: [] });
const busy = () => Response.json({ error: { code: 'rate_limited', message: 'Slower.' } }, { status: 429 });
const away = (): never => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
};
const REFUSED = 'No answer from http://gateway: fetch failed: connect ECONNREFUSED.';

it('a gateway that never answered is given up soon, and what was waited for is said once', async () => {
  const { client, said } = open([away], { firstMs: 2000, laterMs: 60_000 });
  const ended = await client.engines().catch((error: Error) => error);
  expect(ended).toMatchObject({ code: 'connection', message: expect.stringContaining(`${REFUSED} Is --url, or`) });
  expect(said).toEqual([`${REFUSED} It is tried again for up to 2 seconds.`]);
});

it('one that is away later is waited for longer, which is said each time', async () => {
  const { client, said } = open([ok, away, away, ok, away, ok], { firstMs: 1, laterMs: 900_000 });
  for (let call = 1; call <= 3; call++) await client.engines();
  const sentence = `${REFUSED} It is tried again for up to 15 minutes.`;
  expect(said).toEqual([sentence, sentence]);
});

it('one that puts calls off is waited for, which is said once, but not for ever', async () => {
  const { client, said } = open([ok, busy, ok, busy, ok, busy], { firstMs: 1, laterMs: 1000 });
  for (let call = 1; call <= 3; call++) await client.engines();
  await expect(client.engines()).rejects.toMatchObject({ code: 'rate_limited' });
  expect(said).toEqual(['The gateway puts calls off (429): Slower. Each is sent again for up to 1 second.']);
});

it('a wrong address ends a run with a sentence', { timeout: 60_000 }, async () => {
  await writeFile(join(folder, 'a.png'), await picture());
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const command = new RouterCommand({ product: { url } });
  const began = performance.now();
  const { code, errors } = await command.run({ apiKey: 'sk-ocr-any' }, 'read', folder, '--yes');
  expect(code).toBe(2);
  const [first, last] = errors.trim().split('\n');
  const refused = `No answer from ${url}: fetch failed: connect ECONNREFUSED 127.0.0.1:${port}.`;
  expect(first).toBe(`${refused} It is tried again for up to 10 seconds.`);
  expect(last).toContain(`ocr-router: ${refused} Is --url, or OCR_ROUTER_URL, right?`);
  expect(performance.now() - began).toBeLessThan(30_000);
});
