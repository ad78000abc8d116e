import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { ROOT, readPages } from './pages.ts';

/** An operator's command as a page writes it down. */
interface Written {
  readonly where: string;
  /** `account create`, and what follows it that is no option. */
  readonly words: string;
  readonly options: readonly string[];
}

const OTHERS = ['deploy/README.md', 'deploy/helm/ocr-router/README.md'];
const FENCED = /^```(?:bash|sh)[^\n]*\n(.*?)^```$/gms;
const ADMIN = /\badmin(?: --)? ([a-z][a-z-]*(?: [^-#\s]\S*)*)((?: -.*)?)$/;

function writtenIn(path: string): Written[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const lines = [...text.matchAll(FENCED)].flatMap(([, code = '']) => code.split('\n'));
  return lines.flatMap((line) => {
    const [command = ''] = line.split(/\s+#/); // what follows is a remark
    const [, words = '', options = ''] = ADMIN.exec(command.trimEnd()) ?? [];
    if (words === '') return [];
    return { where: `${path}: ${line}`, words, options: options.match(/--[a-z][\w-]*/g) ?? [] };
  });
}

const written = [...readPages().map(({ path }) => path), ...OTHERS].flatMap(writtenIn);
/** The help of a command is asked for once: with the word after it, which is an id or a file where it is no command. */
const paths = [...new Set(written.map(({ words }) => words.split(' ').slice(0, 2).join(' ')))];

it('are found', () => expect(paths.length).toBeGreaterThan(15));

/**
 * Helps of all commands from one process: a start costs more than all of them. A command would end the process; of a program
 * that stands in `-e`, what follows the first word is its arguments.
 */
const ASK = `
  const { runCommand } = await import(process.argv[1]);
  process.exit = () => { throw new Error('the command has ended'); };
  const helps = {};
  for (const path of process.argv.slice(2)) {
    const written = process.stdout.write;
    let help = '';
    process.stdout.write = (text) => { help += text; return true; };
    process.argv = [process.execPath, ...path.split(' '), '--help'];
    await runCommand().catch(() => undefined);
    process.stdout.write = written;
    helps[path] = help;
  }
  console.log(JSON.stringify(helps));`;

let helps: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  const commands = join(ROOT, 'server/dist/bundle/commands.js');
  const asked = ['--input-type=module', '-e', ASK, commands, ...paths];
  helps = JSON.parse((await promisify(execFile)(process.execPath, asked)).stdout);
});

it.each(paths)('the pages write `admin %s` as it is', (path) => {
  const stdout = helps[path] ?? '';
  const [, usage = ''] = /^Usage: admin (.*?)(?: \[options\])?(?: [<[].*)?$/m.exec(stdout) ?? [];
  expect(path.startsWith(usage) && usage !== '', stdout).toBe(true);
  const wrong = written
    .filter(({ words }) => `${words} `.startsWith(`${path} `))
    .flatMap(({ where, options }) =>
      options.filter((name) => !stdout.includes(`${name} `)).map((name) => `${where}: ${name}`),
    );
  expect(wrong).toEqual([]);
});
