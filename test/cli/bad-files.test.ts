import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { says } from '../house/engine-answers.ts';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { RouterCommand } from './command.ts';

const house = await sharedHouse();
const command = new RouterCommand(house);
const folder = await mkdtemp(join(tmpdir(), 'ocr-bad-files-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => house.engines.reset());

/** A folder with pictures of these names, and the command that reads it, one after the other. */
async function open(...names: string[]) {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'bad-'));
  for (const name of names) await writeFile(join(path, name), await picture());
  const wish = ['--engine', 'reader', '--yes', '--json', '--concurrency', '1'];
  const read = (...more: string[]) => command.run(account, 'read', path, ...wish, ...more);
  const states = async () => {
    const lines = (await readFile(join(path, '.ocr-router.jsonl'), 'utf8')).trim().split('\n');
    return new Map(lines.map((line) => JSON.parse(line)).map(({ file, state }) => [file, state]));
  };
  return { account, path, read, states };
}

it('an empty file is named and left, and the others are read', async () => {
  const { account, path, read } = await open('b.png');
  const empty = join(path, 'a.png');
  await writeFile(empty, '');
  const { code, errors, output } = await read();
  expect([code, errors]).toEqual([1, expect.stringContaining(`${empty}: is empty.\n`)]);
  expect(JSON.parse(output)).toMatchObject({ read: 1, failed: 0, refused: 1 });
  const told = await command.run(account, 'estimate', path, '--engine', 'reader');
  expect(told.output).toContain(`${empty}: is empty.\n1 file, 1 page, at most 0.01 USD; 1 cannot be read\n`);
});

it('a file larger than any program reads at once is named and left, and the others are read', async () => {
  const { path, read } = await open('a.png', 'b.png');
  await truncate(join(path, 'a.png'), 3 * 1024 ** 3); // a hole: it takes no room
  const { code, errors, output } = await read();
  expect([code, errors]).toEqual([1, expect.stringContaining('a.png: The document has 3221225472 bytes; ')]);
  expect(JSON.parse(output)).toMatchObject({ read: 1, failed: 0, refused: 1 });
});

it('a document whose output cannot be written has failed, and the others are read', async () => {
  const { path, read, states } = await open('a.png', 'b.png');
  await mkdir(join(path, 'a.txt'));
  const { code, errors, output } = await read('--force');
  expect([code, errors]).toEqual([1, expect.stringContaining('a.png: EISDIR: ')]);
  expect(JSON.parse(output)).toMatchObject({ read: 1, failed: 1, cost_usd: 0.02 });
  expect((await readdir(path)).toSorted()).toEqual(['.ocr-router.jsonl', 'a.png', 'a.txt', 'b.png', 'b.txt']);
  expect((await states()).get(join(path, 'a.png'))).toBe('failed');
  await rm(join(path, 'a.txt'), { recursive: true });
  const again = await read();
  expect([again.code, JSON.parse(again.output)]).toMatchObject([0, { read: 2, cost_usd: 0 }]);
});

it('a document that is gone when its turn comes has failed, and the others are read', async () => {
  const { path, read } = await open('a.png', 'b.png', 'c.png');
  house.engines.script('reader', async () => {
    await rm(join(path, 'b.png'), { force: true });
    return says('a page');
  });
  const { code, errors, output } = await read();
  expect([code, errors]).toEqual([1, expect.stringContaining('b.png: ENOENT: ')]);
  expect(JSON.parse(output)).toMatchObject({ read: 2, failed: 1 });
});

it('a document whose name is as long as names may be is read', async () => {
  const name = 'n'.repeat(247);
  const { path, read } = await open(`${name}.png`);
  const { code, errors } = await read();
  expect(code, errors).toBe(0);
  expect(await readFile(join(path, `${name}.txt`), 'utf8')).toBe('read by reader\n');
});
