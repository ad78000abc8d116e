import { execFile, spawnSync } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { documents } from '../docs/examples.ts';
import { type Block, blocksOf, readPage } from '../docs/pages.ts';
import { packageBlocks } from './installation.ts';
import type { Served } from './served.ts';

const CLIENTS = 'docs/clients.md';
const LIMIT_MS = 300_000;
const run = promisify(execFile);

/**
 * Does what `docs/clients.md` says, block by block as they stand there, in an empty folder beside the installed package, with
 * the documents that the page speaks of. Answers what was done; throws where a block fails or leaves nothing behind.
 */
export async function followClients({ env }: Served, folder: string): Promise<string[]> {
  await mkdir(join(folder, 'scans'), { recursive: true });
  for (const [name, bytes] of Object.entries(await documents())) await writeFile(join(folder, name), bytes);
  await writeFile(join(folder, 'read-scans.ts'), folderProgram('ts'));
  await writeFile(join(folder, 'read_scans.py'), folderProgram('python'));
  const followed: string[] = [];
  for (const block of packageBlocks(CLIENTS)) {
    const name = `${block.page}:${block.line}`;
    const printed = await runBlock(block, { folder, env });
    followed.push(printed === null ? `${name} left out: there is no python3 with venv` : name);
  }
  for (const text of ['scans/first.pdf.txt', 'scans/first.txt']) await access(join(folder, text));
  return followed;
}

/** The first program of the page in a language, which reads a folder of PDFs. */
function folderProgram(language: 'ts' | 'python'): string {
  const program = blocksOf(readPage(CLIENTS)).find((block) => block.language === language && block.role === 'run');
  if (!program) throw new Error(`${CLIENTS} has no program in ${language}`);
  return program.code;
}

async function runBlock(
  { language, code }: Block,
  { folder, env }: { folder: string; env: Served['env'] },
): Promise<string | null> {
  const options = { cwd: folder, env, timeout: LIMIT_MS, maxBuffer: 1e8 };
  if (language === 'js') {
    await writeFile(join(folder, 'program.js'), code);
    const { stdout } = await run(process.execPath, ['program.js'], options);
    if (!stdout.includes('Invoice 0042')) throw new Error(`the program of ${CLIENTS} printed ${stdout}`);
    return stdout;
  }
  if (code.includes('python3') && !PYTHON) return null;
  return (await run('bash', ['-euo', 'pipefail', '-c', code], options)).stdout;
}

const PYTHON = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
