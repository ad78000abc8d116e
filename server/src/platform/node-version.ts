import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { keepCompiledCode } from './compile-cache.ts';

/** The first Node with everything that the service uses, `AsyncDisposableStack` among it. */
const OLDEST_MAJOR = 24;

/**
 * Runs an entry here, or starts it again with the Node that came with the packages when this one is too old. Entries import
 * everything else after this check: an old Node fails while it loads the rest.
 */
export async function onUsableNode(entry: () => Promise<void>): Promise<void> {
  if (isUsable(process.versions.node)) {
    keepCompiledCode();
    return entry();
  }
  const child = spawn(requireBundledNode(), process.argv.slice(1), { stdio: 'inherit' });
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => child.kill(name));
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** The same for a command that ends soon: returns only where this Node will do. */
export function requireUsableNode(): void {
  if (isUsable(process.versions.node)) {
    keepCompiledCode();
    return;
  }
  const { status } = spawnSync(requireBundledNode(), process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

function isUsable(version: string): boolean {
  return Number(version.split('.')[0]) >= OLDEST_MAJOR;
}

function requireBundledNode(): string {
  const found = bundledNode();
  if (found !== null) return found;
  process.stderr.write(
    `ocr-router needs Node ${OLDEST_MAJOR} or newer, and this is Node ${process.versions.node}. ` +
      'Install it from https://nodejs.org. A checkout brings its own for Linux and Windows: `npm ci` there.\n',
  );
  process.exit(1);
}

/** The package of the system at hand; null where there is none, or where it was left out of the installation. */
function bundledNode(): string | null {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const path = join(folder, 'bin', isWindows ? 'node.exe' : 'node');
    return existsSync(path) && path !== process.execPath ? path : null;
  } catch {
    return null;
  }
}
