import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { until } from '../house/until.ts';

const MARKER = `marker${randomUUID()}`;
const folder = await mkdtemp(join(tmpdir(), 'ocr-router-child-'));
const seen = join(folder, 'environment.txt');
// A tesseract that writes down what it was given; which file it writes cannot come from its environment.
const PROGRAM = `#!/bin/sh
case "$1" in
  --version) echo "tesseract 5.3.0"; env >> '${seen}' ;;
  --list-langs) echo 'List of available languages in "${folder}/" (1):'; echo eng ;;
  *) env >> '${seen}'; echo "Could not set option: x=${MARKER}" >&2; exit 1 ;;
esac
`;
await writeFile(join(folder, 'tesseract'), PROGRAM);
await chmod(join(folder, 'tesseract'), 0o755);
const house = await openHouse({
  env: {
    PATH: `${folder}:${process.env['PATH']}`,
    PROVIDER_KEY: MARKER,
    AWS_SECRET_ACCESS_KEY: MARKER,
    LOG_LEVEL: 'info',
  },
});
const { caller } = await house.account();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it('gives a program that reads pictures nothing of the service’s environment', async () => {
  await caller.ocr(await pictureBody('tesseract'));
  const environment = await readFile(seen, 'utf8');
  expect(environment).toContain('OMP_THREAD_LIMIT=1');
  expect(environment).toContain(`PATH=${folder}`);
  expect(environment).not.toContain(MARKER);
  expect(environment).not.toMatch(/DATABASE_URL|DATA_DIR|ENGINES_FILE/);
});

it('writes nothing of a caller’s body into the log', async () => {
  const words = `word${randomUUID()}`;
  const submit =
    'mutation($r: OcrRequestInput!, $k: String!) { submitOcr(request: $r, idempotencyKey: $k) { id status } }';
  const { input } = await pictureBody();
  const document = { type: input.type, dataBase64: input.data_base64 };
  const send = (request: object, k: string) =>
    caller.call('POST', '/graphql', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: submit, variables: { r: request, k } }),
    });
  const native = { nativeSettings: { stop: words, user_words: words, load_system_dawg: words } };
  for (const engine of ['reader', 'tesseract']) {
    await send({ engine, input: document, ...native }, `${words}\u0000`);
    await send({ engine, input: document, ...native, settings: { language: `${words}\ud800` } }, words);
    await send({ engine, input: document, ...native, settings: { language: words } }, randomUUID());
  }
  await caller.ocr(`{"engine":"reader","native_settings":{"${words}":`);
  await caller.ocr({ engine: words, input: { type: 'url', url: `https://${words}.invalid/${words}` } });
  await until('the last of it was logged', async () => house.product.logs().includes('tesseract failed'));
  await house.product.stop();
  expect(house.product.logs()).not.toContain(words);
  expect(house.product.logs()).not.toContain(MARKER);
});
