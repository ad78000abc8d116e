import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { RouterCommand } from './command.ts';

const house = await sharedHouse();
const command = new RouterCommand(house);
const folder = await mkdtemp(join(tmpdir(), 'ocr-paths-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An empty folder, and the command that reads what is in it. */
async function open() {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'path-'));
  const run = (name: string, ...more: string[]) => command.run(account, name, ...more, '--engine', 'reader');
  return { path, run };
}

it.each(['read', 'estimate'])('%s of a path that is not there says so, and makes nothing', async (name) => {
  const { path, run } = await open();
  for (const missing of ['nosuch', 'nosuch.pdf']) {
    const { code, errors } = await run(name, join(path, missing));
    expect([code, errors]).toEqual([2, `ocr-router: ${join(path, missing)}: there is no such file or folder.\n`]);
  }
  expect(await readdir(path)).toEqual([]);
});

it('the journal lies in a folder whose name looks like that of a file', async () => {
  const { path, run } = await open();
  const scans = join(path, 'scans.2024');
  await mkdir(scans);
  await writeFile(join(scans, 'a.png'), await picture());
  expect((await run('read', scans, '--yes')).code).toBe(0);
  expect((await readdir(scans)).toSorted()).toEqual(['.ocr-router.jsonl', 'a.png', 'a.txt']);
  expect(await readdir(path)).toEqual(['scans.2024']);
});

it('a file without an ending is read', async () => {
  const { path, run } = await open();
  await writeFile(join(path, 'letter'), await picture());
  const { code, errors } = await run('read', join(path, 'letter'), '--yes');
  expect(code, errors).toBe(0);
  expect(await readFile(join(path, 'letter.txt'), 'utf8')).toBe('read by reader\n');
  expect((await readdir(path)).toSorted()).toEqual(['.ocr-router.jsonl', 'letter', 'letter.txt']);
});

it('the folder of --out is made when something is to be put there', async () => {
  const { path, run } = await open();
  await writeFile(join(path, 'a.png'), await picture());
  const out = join(path, 'new', 'texts');
  expect((await run('read', path, '--out', out)).code).toBe(2); // nobody could be asked
  expect(await readdir(path)).toEqual(['a.png']);
  expect((await run('read', path, '--out', out, '--yes')).code).toBe(0);
  expect((await readdir(out)).toSorted()).toEqual(['.ocr-router.jsonl', 'a.txt']);
});

it('a document is known in the journal from whatever folder the command is run', async () => {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'path-'));
  const scans = join(path, 'scans');
  await mkdir(scans);
  await writeFile(join(scans, 'a.png'), await picture());
  const wish = ['--engine', 'reader', '--yes', '--json'];
  const within = (cwd: string) => new RouterCommand(house, cwd);
  expect((await within(path).run(account, 'read', 'scans', ...wish)).code).toBe(0);
  for (const [cwd, name] of [
    [path, 'scans'],
    [scans, '.'],
    [scans, './a.png'],
    [folder, scans],
  ] as const) {
    const { output, errors } = await within(cwd).run(account, 'read', name, ...wish, '--resume');
    expect([JSON.parse(output), errors]).toMatchObject([{ already_done: 1 }, expect.not.stringContaining('--force')]);
  }
});

it('documents of one name from two folders do not write over each other below --out', async () => {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'path-'));
  const out = join(path, 'texts');
  const wish = ['--engine', 'reader', '--yes', '--out', out];
  for (const name of ['ann', 'bob']) {
    await mkdir(join(path, name, 'scans'), { recursive: true });
    await writeFile(join(path, name, 'scans', 'a.png'), await picture());
  }
  const readOf = (name: string) => new RouterCommand(house, join(path, name)).run(account, 'read', 'scans', ...wish);
  expect((await readOf('ann')).code).toBe(0);
  await writeFile(join(out, 'scans', 'a.txt'), 'of ann');
  expect((await readOf('bob')).errors).toContain('a.txt is there already; --force writes over it.');
  expect(await readFile(join(out, 'scans', 'a.txt'), 'utf8')).toBe('of ann');
});

it.skipIf(!existsSync('/proc/self'))(
  'a folder of --out that cannot be made ends the run before anything is sent',
  async () => {
    const { path, run } = await open();
    await writeFile(join(path, 'a.png'), await picture());
    for (const out of ['/proc/x', '/proc/x/texts']) {
      const { code, errors } = await run('read', path, '--yes', '--out', out);
      expect([code, errors]).toEqual([2, expect.stringMatching(/\nocr-router: ENOENT: .*mkdir '\/proc\/x'\n$/)]);
    }
  },
);

it('what a journal of an earlier version names by its path alone is known by that path', async () => {
  const { path, run } = await open();
  await writeFile(join(path, 'a.png'), await picture());
  expect((await run('read', path, '--yes')).code).toBe(0);
  const journal = join(path, '.ocr-router.jsonl');
  const lines = (await readFile(journal, 'utf8')).trim().split('\n');
  const former = lines.map((line) => JSON.stringify({ ...JSON.parse(line), place: undefined }));
  await writeFile(journal, `${former.join('\n')}\n`);
  const { errors } = await run('read', path, '--yes', '--resume');
  expect(errors).toContain('1 file read before, not sent again.\n');
});
