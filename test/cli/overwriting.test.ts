import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { RouterCommand } from './command.ts';

const house = await sharedHouse();
const command = new RouterCommand(house);
const folder = await mkdtemp(join(tmpdir(), 'ocr-overwriting-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A folder with a picture, and the command that reads it. */
async function open() {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'own-'));
  await writeFile(join(path, 'scan.png'), await picture());
  const read = (...more: string[]) => command.run(account, 'read', path, '--engine', 'reader', '--yes', ...more);
  const written = (name: string) => readFile(join(path, name), 'utf8');
  const put = (name: string, content: string) => writeFile(join(path, name), content);
  return { path, read, written, put };
}

it('a file of another format is not its own because the document was read before', async () => {
  const { read, written, put } = await open();
  expect((await read()).code).toBe(0);
  await put('scan.md', 'mine');
  const { code, errors } = await read('--format', 'txt,md');
  expect([code, errors]).toEqual([0, expect.stringContaining('scan.md is there already; --force writes over it.')]);
  expect(await written('scan.md')).toBe('mine');
  await put('scan.txt', 'older');
  expect((await read()).code).toBe(0);
  expect(await written('scan.txt')).toBe('read by reader\n'); // an output of its own
  expect((await read('--format', 'md', '--force')).code).toBe(0);
  expect(await written('scan.md')).toBe('read by reader\n');
});

it('an output that stood there when the run was killed is its own', async () => {
  const { read, written, put } = await open();
  expect((await read()).code).toBe(0);
  const lines = (await written('.ocr-router.jsonl')).split('\n');
  await put('.ocr-router.jsonl', lines.filter((line) => !line.includes('"done"')).join('\n'));
  await put('scan.txt', 'as it was');
  expect((await read('--resume')).code).toBe(0);
  expect(await written('scan.txt')).toBe('read by reader\n');
});

it.each(['begun', 'failed', 'done'])(
  'a document that is %s in the journal has no outputs that it does not name',
  async (state) => {
    const { path, read, written, put } = await open();
    const entry = { file: join(path, 'scan.png'), state, key: 'a'.repeat(64), request_id: 'ocr_1' };
    await put('.ocr-router.jsonl', `${JSON.stringify(entry)}\n`);
    await put('scan.txt', 'mine');
    for (const more of [[], ['--resume']]) {
      expect((await read(...more)).errors).toContain('scan.txt is there already');
    }
    expect(await written('scan.txt')).toBe('mine');
  },
);

it('a document that was read by an earlier version, which named no outputs, is done with --resume', async () => {
  const { read, written, put } = await open();
  expect((await read()).code).toBe(0);
  const lines = (await written('.ocr-router.jsonl')).split('\n');
  await put('.ocr-router.jsonl', lines.filter((line) => !line.includes('"writing"')).join('\n'));
  const { code, errors, output } = await read('--resume', '--json');
  expect([code, errors]).toEqual([0, expect.stringContaining('1 file read before, not sent again.\n')]);
  expect([JSON.parse(output), errors]).toMatchObject([
    { read: 0, already_done: 1 },
    expect.not.stringContaining('--force'),
  ]);
});

it('a file that is put where an output never appeared is not its own', async () => {
  const { path, read, written, put } = await open();
  await mkdir(join(path, 'scan.txt'));
  expect((await read('--force')).errors).toContain('scan.png: EISDIR: ');
  await rm(join(path, 'scan.txt'), { recursive: true });
  await put('scan.txt', 'mine');
  expect((await read()).errors).toContain('scan.txt is there already');
  expect(await written('scan.txt')).toBe('mine');
});
