import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { cutsShort, refuses, says } from '../house/engine-answers.ts';
import { pageOf, pdfOfPages } from '../house/page-sizes.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { readSql, runSql } from '../house/sql.ts';
import { RouterCommand } from './command.ts';

const house = await sharedHouse();
const command = new RouterCommand(house);
const folder = await mkdtemp(join(tmpdir(), 'ocr-not-retained-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => house.engines.reset());

/** A picture of an account whose texts are not kept, and the command that reads it. */
async function open() {
  const account = await house.account({ history: false });
  const path = await mkdtemp(join(folder, 'scans-'));
  const file = join(path, 'a.png');
  await writeFile(file, await picture());
  const read = async (...more: string[]) => {
    const wish = ['--engine', 'reader', '--yes', '--json', ...more];
    const { code, errors, output } = await command.run(account, 'read', path, ...wish);
    return { code, errors, report: JSON.parse(output) };
  };
  const requests = async () => {
    const sql = `select count(*)::int as requests from ocr_request where account_id = '${account.accountId}'`;
    return (await readSql<{ requests: number }>(house.databaseUrl, sql))[0]?.requests;
  };
  const change = async (name: string, how: (content: string) => string) =>
    writeFile(join(path, name), how(await readFile(join(path, name), 'utf8')));
  return { account, path, file, read, requests, change };
}

it('a document whose text is not kept, and whose outputs are there, was read before, and is charged once', async () => {
  const { path, file, read, requests, change } = await open();
  expect((await read()).report).toMatchObject({ read: 1, cost_usd: 0.01 });
  await change('a.txt', () => 'corrected');
  for (let time = 2; time <= 3; time++) {
    const { code, errors, report } = await read();
    expect([code, report]).toMatchObject([0, { read: 0, failed: 0, already_done: 1, cost_usd: 0, outcomes: [] }]);
    expect(errors).toContain(`${file}: was read before; its text is not kept, and its outputs stay as they are.\n`);
  }
  await change('.ocr-router.jsonl', (lines) => lines.replaceAll(/^.*"done".*\n/gm, '')); // killed before it wrote them down
  expect((await read()).report).toMatchObject({ already_done: 1 });
  expect([await readFile(join(path, 'a.txt'), 'utf8'), await requests()]).toEqual(['corrected', 1]);
});

it('one that was read in part stays one', async () => {
  house.engines.script('reader', cutsShort('The beginning of a long'));
  const { read, requests } = await open();
  expect((await read()).report).toMatchObject({ read: 1, partial: 1 });
  const { code, report } = await read();
  expect([code, report]).toMatchObject([1, { failed: 0, already_done: 1, already_partial: 1, cost_usd: 0 }]);
  expect(await requests()).toBe(1);
});

it('one whose output is gone has failed, and is read anew by the next run', async () => {
  const { path, read, requests } = await open();
  expect((await read()).code).toBe(0);
  await rm(join(path, 'a.txt'));
  const failed = await read();
  expect([failed.code, failed.errors]).toEqual([2, expect.stringMatching(/a\.png: succeeded: .*not retained/)]);
  expect((await read()).report).toMatchObject({ read: 1, cost_usd: 0.01 });
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('read by reader\n');
  expect((await read()).report).toMatchObject({ already_done: 1, cost_usd: 0 });
  expect(await requests()).toBe(2);
});

it('one that was read by an earlier version, which named no outputs, was read before', async () => {
  const { read, requests, change } = await open();
  expect((await read()).code).toBe(0);
  await change('.ocr-router.jsonl', (lines) => lines.replaceAll(/^.*"writing".*\n/gm, ''));
  for (let time = 2; time <= 3; time++) {
    expect((await read('--force')).report).toMatchObject({ read: 0, failed: 0, already_done: 1, cost_usd: 0 });
  }
  expect(await requests()).toBe(1);
});

it('a long document that was sent before its account had a history is the same request after that', async () => {
  const { account, path, file, read, requests } = await open();
  await rm(file);
  await writeFile(join(path, 'long.pdf'), pdfOfPages(12));
  expect((await read()).report).toMatchObject({ read: 1 });
  const turnOn = `update account set history = true, history_off_at = null where id = '${account.accountId}'`;
  await runSql(house.databaseUrl, turnOn);
  expect((await read()).report).toMatchObject({ failed: 0, already_done: 1, cost_usd: 0 });
  expect(await requests()).toBe(1);
});

it('one that was read in part, and whose output is gone, has failed, and is read anew by the next run', async () => {
  house.engines.script('reader', cutsShort('The beginning of a long'));
  const { path, read, requests } = await open();
  expect((await read()).report).toMatchObject({ partial: 1 });
  await rm(join(path, 'a.txt'));
  expect((await read()).report).toMatchObject({ read: 0, failed: 1, cost_usd: 0 });
  expect((await read()).report).toMatchObject({ read: 1, partial: 1 });
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('The beginning of a long\n');
  expect(await requests()).toBe(2);
});

it('one that was read in part, and of which there was no text, is one request for all runs', async () => {
  house.engines.script('reader', async (call) => ((await pageOf(call)) > 10 ? says('') : refuses('I cannot read it.')));
  const { path, file, read, requests } = await open();
  await rm(file);
  const blank = { size: [400, 200] } as const;
  await writeFile(join(path, 'a.pdf'), makePdf([blank, { size: [200, 200], content: '0 g 50 50 100 20 re f\n' }]));
  for (let time = 1; time <= 4; time++) {
    const { code, report } = await read();
    expect([code, report]).toMatchObject([2, { read: 0, failed: 1, outcomes: [{ status: 'partial' }] }]);
  }
  expect(await requests()).toBe(1);
});
