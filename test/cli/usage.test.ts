import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { keyOf } from '../../cli/src/read/read-document.ts';
import { pdfOfPages } from '../house/page-sizes.ts';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { RouterCommand } from './command.ts';

/** A device on which there is no room. */
const FULL = '/dev/full';

const house = await sharedHouse();
const command = new RouterCommand(house);
const folder = await mkdtemp(join(tmpdir(), 'ocr-usage-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A folder with two pictures, and an account. */
async function open() {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'scans-'));
  for (const name of ['a.png', 'b.png']) await writeFile(join(path, name), await picture());
  return { account, path };
}

/** As many as the engine takes of a document. */
async function mostPages(account: { readonly apiKey: string }): Promise<number> {
  const engines = (await (
    await fetch(new URL('/v1/engines', house.product.url), { headers: { authorization: `Bearer ${account.apiKey}` } })
  ).json()) as { data: { id: string; max_pages_per_request: number }[] };
  return engines.data.find(({ id }) => id === 'reader')?.max_pages_per_request ?? 0;
}

it.each([
  ['an unknown command', ['reed', '.']],
  ['an unknown format', ['read', '.', '--format', 'foo']],
  ['a number out of bounds', ['read', '.', '--max-pages', '0']],
  ['no path', ['estimate']],
])('%s ends with 2', async (_, wish) => {
  const { code, errors } = await command.run({ apiKey: 'any' }, ...wish);
  expect([code, errors]).toEqual([2, expect.stringContaining('error: ')]);
});

it('help that was asked for ends with 0', async () => {
  for (const wish of [['--help'], ['read', '--help'], ['--version']]) {
    expect((await command.run({ apiKey: 'any' }, ...wish)).code).toBe(0);
  }
});

it('a run goes on when nobody listens any more', async () => {
  const { account, path } = await open();
  const child = command.start(account, 'read', path, '--engine', 'reader', '--yes', '--json', '--concurrency', '1');
  const ended = once(child, 'exit');
  child.stdout.destroy();
  child.stderr.destroy();
  expect((await ended)[0]).toBe(0);
  expect(await readFile(join(path, 'b.txt'), 'utf8')).toBe('read by reader\n');
});

it('an estimate to which nobody listens any more ends without an error', async () => {
  const { account, path } = await open();
  const child = command.start(account, 'estimate', path, '--engine', 'reader');
  const ended = once(child, 'exit');
  child.stdout.destroy();
  expect([await text(child.stderr), (await ended)[0]]).toEqual(['', 0]);
});

it.skipIf(!existsSync(FULL))('a run goes on when what it says cannot be written', async () => {
  const { account, path } = await open();
  const wish = ['read', path, '--engine', 'reader', '--yes'];
  expect(await command.runInto({ stdout: '/dev/null', stderr: FULL }, account, ...wish)).toBe(0);
  expect(await readFile(join(path, 'b.txt'), 'utf8')).toBe('read by reader\n');
});

it.skipIf(!existsSync(FULL))('a result that cannot be written is said, and is no success', async () => {
  const { account, path } = await open();
  const stderr = join(path, 'errors');
  for (const name of ['estimate', 'read']) {
    const wish = [name, path, '--engine', 'reader', '--json', ...(name === 'read' ? ['--yes'] : [])];
    expect(await command.runInto({ stdout: FULL, stderr }, account, ...wish)).toBe(2);
    expect((await readFile(stderr, 'utf8')).trim().split('\n').at(-1)).toMatch(
      /^ocr-router: the output cannot be written: ENOSPC: /,
    );
    await rm(stderr);
  }
});

it('a dry run prints its plan as JSON', async () => {
  const { account, path } = await open();
  const wish = ['--engine', 'reader', '--json'];
  const { code, output } = await command.run(account, 'read', path, ...wish, '--dry-run');
  const documents = ['a.png', 'b.png'].map((name) => ({ file: join(path, name), pages: 1, worstUsd: 0.01 }));
  const plan = { documents, refused: [], links: [] };
  expect([code, JSON.parse(output)]).toEqual([0, { ...plan, already_done: 0, already_partial: 0 }]);
  expect(JSON.parse((await command.run(account, 'estimate', path, ...wish)).output)).toEqual(plan);
});

it('the plan says which symbolic links of a folder are left', async () => {
  const { account, path } = await open();
  await symlink(join(path, 'a.png'), join(path, 'c.png'));
  await symlink(join(path, 'a.png'), join(path, 'notes'));
  const { code, errors } = await command.run(account, 'read', path, '--engine', 'reader', '--dry-run');
  const left = `${join(path, 'c.png')}: is a symbolic link, and is left; name it to have it read.\n`;
  expect([code, errors]).toEqual([0, `${left}2 files, 2 pages, at most 0.02 USD\n`]);
});

it('a document with more pages than the engine takes is refused in the plan, with what to do', async () => {
  const { account, path } = await open();
  const most = await mostPages(account);
  const file = join(path, 'long.pdf');
  await writeFile(file, pdfOfPages(most + 1));
  const why = `${file}: has ${most + 1} pages, and engine "reader" takes ${most} of a document: `;
  const wish = [file, '--engine', 'reader'];
  const { output } = await command.run(account, 'estimate', ...wish);
  expect(output).toContain(`${why}\`read --max-pages ${most}\` reads the first ones.\n`);
  const { code, errors } = await command.run(account, 'read', ...wish, '--yes');
  expect([code, errors]).toEqual([2, expect.stringContaining(`${why}--max-pages ${most} reads the first ones.\n`)]);
  const dry = await command.run(account, 'read', ...wish, '--dry-run', '--max-pages', String(most));
  expect(dry.errors).toContain(`1 file, ${most} pages`);
});

it('a document that was read is done with --resume, also where its engine takes fewer pages by now', async () => {
  const { account, path } = await open();
  const file = join(path, 'long.pdf');
  const pages = (await mostPages(account)) + 1;
  await writeFile(file, pdfOfPages(pages));
  const key = await keyOf(file, { engine: 'reader' }, pages);
  await writeFile(join(path, '.ocr-router.jsonl'), `${JSON.stringify({ file, state: 'done', key })}\n`);
  const wish = [file, '--engine', 'reader', '--yes', '--json', '--resume'];
  const { code, output } = await command.run(account, 'read', ...wish);
  expect([code, JSON.parse(output)]).toMatchObject([0, { refused: 0, already_done: 1 }]);
});
