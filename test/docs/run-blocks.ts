import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Block, ROOT } from './pages.ts';

/** Languages whose blocks are run. */
export type Language = 'bash' | 'ts' | 'python';
export const LANGUAGES: readonly Language[] = ['bash', 'ts', 'python'];

interface Runner {
  readonly file: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What stands before all blocks. */
  readonly first: string;
  /** A line that prints a text. */
  print(line: string): string;
}

const RUNNERS: Readonly<Record<Language, Runner>> = {
  bash: {
    file: 'page.sh',
    program: 'bash',
    args: [],
    first: 'set -euo pipefail',
    print: (line) => `printf '\\n%s\\n' '${line}'`,
  },
  ts: {
    file: 'page.ts',
    program: process.execPath,
    args: [],
    first: '',
    print: (line) => `console.log('\\n${line}');`,
  },
  python: {
    file: 'page.py',
    program: 'python3',
    args: ['-u', '-B'],
    first: '',
    print: (line) => `print("\\n${line}")`,
  },
};

/** A page takes less; whoever reads pages without the installed program takes longest. */
const LIMIT_MS = 170_000;

/** The blocks of a page as one program: each may use what those before it have made. */
export function programOf(language: Language, blocks: readonly Block[]): string {
  const { first, print } = RUNNERS[language];
  return [first, ...blocks.flatMap((block) => [print(mark(block)), block.code])].join('\n');
}

function mark({ page, line }: Block): string {
  return `@@@ ${page}:${line}`;
}

/** Runs the blocks of a page, one after the other, in a folder. Answers what each of them printed; throws when one fails. */
export async function runBlocks(
  language: Language,
  blocks: readonly Block[],
  { folder, env }: { folder: string; env: Readonly<Record<string, string>> },
): Promise<ReadonlyMap<Block, string>> {
  const { file, program, args } = RUNNERS[language];
  await writeFile(join(folder, file), programOf(language, blocks));
  const child = spawn(program, [...args, file], {
    cwd: folder,
    env: programEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(String(signal ?? code)));
  });
  const [printed, errors, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const last = blocks.findLast((block) => printed.includes(`${mark(block)}\n`));
  if (end !== '0')
    throw new Error(`${last ? mark(last) : 'the page'} ended with ${end}:\n${errors}\n${printed.slice(-2000)}`);
  return new Map(blocks.map((block) => [block, outputOf(block, printed)]));
}

function outputOf(block: Block, printed: string): string {
  const [, rest = ''] = printed.split(`${mark(block)}\n`);
  return rest.split('\n@@@ ')[0] ?? '';
}

/** What examples need of the surroundings, the Python client, and what the page says has been set. */
export function programEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const python = { PYTHONPATH: join(ROOT, 'sdk/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...python, ...env };
}

/** Figures that differ from run to run: that they are figures is enough. */
const VARYING = new Set([
  ...['confidence', 'provider_latency_ms', 'uptime_seconds', 'engine_count'],
  ...['balance_usd', 'total_spent_usd', 'total_requests', 'total_pages'],
]);

/**
 * Where an answer differs from what the page shows; empty when it does not. `…` stands for any value, within a text for any
 * part of it; what the page leaves out may be there.
 */
export function differences(shown: unknown, actual: unknown, at = ''): string[] {
  if (shown === '…') return actual === undefined ? [`${at} is missing`] : [];
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [`${at} is no list`];
    if (shown.length === 0 && actual.length > 0) return [`${at} is not empty`];
    return shown.flatMap((each, index) => differences(each, actual[index], `${at}[${index}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return [`${at} is no object`];
    return Object.entries(shown).flatMap(([key, value]) =>
      differences(value, (actual as Record<string, unknown>)[key], `${at}.${key}`),
    );
  }
  if (typeof shown === 'string' && shown.includes('…')) {
    const pattern = shown.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${pattern.join('.*')}$`, 's').test(String(actual))
      ? []
      : [`${at} is ${JSON.stringify(actual)}`];
  }
  const varies = typeof shown === 'number' && VARYING.has(at.split('.').at(-1) ?? '');
  const same = varies ? typeof actual === 'number' : actual === shown;
  return same ? [] : [`${at} is ${JSON.stringify(actual)}, the page says ${JSON.stringify(shown)}`];
}
