import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Block, blocksOf, ROOT, readPage } from '../docs/pages.ts';

export type Kind = 'full' | 'small';

/** The package as it was installed by what `docs/start.md` says, in a place of its own. */
export interface Installation {
  /** What commands need to find it, and this Node. */
  readonly env: Readonly<Record<string, string>>;
  readonly mb: number;
  readonly packedMb: number;
  readonly seconds: number;
}

const INSTALL_MS = 600_000;
const run = promisify(execFile);

/** The lines of `docs/start.md` that install the package, and start it. */
export function firstLines(): [install: string, serve: string] {
  const [block] = packageBlocks('docs/start.md');
  const [install, serve, ...more] = block?.code.trim().split('\n') ?? [];
  if (!install || !serve || more.length > 0) throw new Error('docs/start.md does not install and start the package');
  return [install, serve];
}

export function packageBlocks(page: string): Block[] {
  return blocksOf(readPage(page)).filter(({ role }) => role === 'package');
}

/** Packs the package, and installs the one file where nothing of the checkout is. */
export async function install(place: string, kind: Kind): Promise<Installation> {
  const folder = join(place, kind);
  const staged = join(place, `stage-${kind}`);
  await mkdir(folder);
  const options = kind === 'small' ? ['--small'] : [];
  await run(process.execPath, [join(ROOT, 'deploy/scripts/stage.mjs'), ...options, staged]);
  const { stdout } = await run('npm', ['pack', '--silent'], { cwd: staged });
  const tarball = stdout.trim();
  await cp(join(staged, tarball), join(folder, tarball));
  const env = environment(join(folder, 'global'));
  const began = performance.now();
  await run('bash', ['-c', firstLines()[0]], { cwd: folder, env, timeout: INSTALL_MS, maxBuffer: 1e8 });
  const seconds = (performance.now() - began) / 1000;
  const { stdout: size } = await run('du', ['-sm', join(folder, 'global')]);
  const packedMb = Number(((await readFile(join(folder, tarball))).length / 1e6).toFixed(1));
  return { env, mb: Number(size.split('\t')[0]), packedMb, seconds };
}

/** Of somebody whose global packages are in `prefix`: nothing of the npm that began this, but for where packages come from. */
function environment(prefix: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry$)/.test(name));
  const { PATH = '' } = process.env;
  return {
    ...(Object.fromEntries(kept) as Record<string, string>), // no variable of the environment is undefined
    PATH: [join(prefix, 'bin'), dirname(process.execPath), PATH].join(delimiter),
    npm_config_prefix: prefix,
    npm_config_prefer_offline: 'true',
  };
}
