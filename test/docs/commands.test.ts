import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { blocksOf, ROOT, readPages } from './pages.ts';

/** A command as a page writes it down; those of operators (`admin`) have a test of their own. */
const COMMAND = /(?:^|[;&|] *|[A-Z_]+=\S* )ocr-router ((?!admin\b)[a-z]+)\b([^#;&|]*)/;

/** For a command that would run in place of saying how it is used. */
const LIMIT = { timeout: 20_000 };

const written = readPages()
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'bash')
  .flatMap(({ page, code }) =>
    code.split('\n').flatMap((line) => {
      const [, name, rest = ''] = COMMAND.exec(line) ?? [];
      return name === undefined
        ? []
        : [{ where: `${page}: ${line}`, name, options: rest.match(/--[a-z][\w-]*/g) ?? [] }];
    }),
  );
const names = [...new Set(written.map(({ name }) => name))];

it('are found', () =>
  expect(names.toSorted()).toEqual(expect.arrayContaining(['api', 'cancel', 'mcp', 'read', 'serve', 'worker'])));

it.each(names)('the pages write `ocr-router %s` as it is', async (name) => {
  const entry = join(ROOT, 'cli/dist/main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [entry, name, '--help'], LIMIT);
  expect(stdout).toMatch(new RegExp(`^Usage: ocr-router ${name}\\b`, 'm'));
  const wrong = written
    .filter((each) => each.name === name)
    .flatMap(({ where, options }) =>
      options.filter((option) => !stdout.includes(option)).map((option) => `${where}: ${option}`),
    );
  expect(wrong).toEqual([]);
});

it.each(['serve', 'api', 'worker'])('`ocr-router %s` does not begin with what it does not know', async (name) => {
  const entry = join(ROOT, 'cli/dist/main.js');
  const asked = promisify(execFile)(process.execPath, [entry, name, '--port', '80'], LIMIT);
  await expect(asked).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("unknown option '--port'") });
});
