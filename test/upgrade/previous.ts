import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = 'server/src/database/migrations';
const BUILD_MS = 600_000;
const run = promisify(execFile);

/** Another checkout of the project, built. */
export interface Checkout extends AsyncDisposable {
  readonly folder: string;
  readonly name: string;
}

/** One that is there, and stays. */
export function checkoutIn(folder: string): Checkout {
  const path = resolve(folder);
  if (!existsSync(join(path, 'server/dist/main.js'))) throw new Error(`${path} is no checkout that was built`);
  return { folder: path, name: path, [Symbol.asyncDispose]: async () => undefined };
}

/** A commit with its own dependencies, in a folder that goes afterwards. */
export async function checkoutOf(commit: string): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'ocr-previous-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'commit.tar');
    await git('archive', '--output', archive, commit);
    await run('tar', ['-xf', archive, '-C', folder]);
    const inFolder = { cwd: folder, timeout: BUILD_MS, maxBuffer: 1e8 };
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], inFolder);
    await run('npx', ['turbo', 'run', 'build', '--filter=@ocr-router/server'], inFolder);
    return { folder, name: await git('log', '-1', '--format=%h %s', commit), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The newest release by its tag; before there is one, the last commit whose schema was another than today's. */
export async function previousCommit(): Promise<string> {
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*').catch(() => null);
  if (tag !== null) return tag;
  const newest = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/Migration*.ts`);
  return git('rev-parse', `${newest}~1`);
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: ROOT })).stdout.trim();
}
