import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One at a time on this machine: apt-get gives up where another one is at work. */
const LOCK = join(tmpdir(), 'ocr-router-tests-apt.lock');
const INSTALL = '(flock 9; apt-get update; apt-get install -y --no-install-recommends "$1") 9> "$2"';

/** Installs a package of Debian's where that can be done: as root. Says nothing of what became of it. */
export function installPackage(name: string): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  spawnSync('sh', ['-c', INSTALL, 'sh', name, LOCK], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
}
