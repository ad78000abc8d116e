import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OcrRouter } from '@ocr-router/client';
import { afterAll, expect, it } from 'vitest';
import { isOfTheFileSystem } from '../../cli/src/read/file-error.ts';
import { Journal } from '../../cli/src/read/journal.ts';
import { Outputs } from '../../cli/src/read/outputs.ts';
import { readDocument } from '../../cli/src/read/read-document.ts';

const folder = await mkdtemp(join(tmpdir(), 'ocr-unwritable-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a document whose output has no folder that can be written is not sent, and not begun', async () => {
  let calls = 0;
  const fetch = async () => {
    calls += 1;
    return Response.json({});
  };
  const client = new OcrRouter({ url: 'http://gateway', apiKey: 'sk', fetch });
  const file = join(folder, 'a.png');
  await writeFile(file, 'a picture');
  const path = join(folder, '.ocr-router.jsonl');
  const job = {
    ...{ client, journal: await Journal.open(path), outputs: new Outputs(client), options: {} },
    ...{ isBounded: false, running: new Set<string>(), signal: new AbortController().signal },
  };
  const end = await readDocument(job, { file, pages: 1, worstUsd: 0.01 }, { txt: join(file, 'below', 'a.txt') });
  expect(end).toMatchObject({ ok: false, status: 'ENOTDIR', costUsd: 0 });
  const journal = await readFile(path, 'utf8').catch(() => null);
  expect([calls, journal]).toEqual([0, null]);
});

it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO'])('%s is not of one document', (code) => {
  expect(isOfTheFileSystem(Object.assign(new Error(code), { code, errno: -1 }))).toBe(false);
});
