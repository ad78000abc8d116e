// `npm run desktop`: opens the built console in Electron, whose program is fetched at its first use.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const INSTEAD = 'The same console in a browser: npm run desktop:web';

function electronProgram() {
  try {
    return createRequire(import.meta.url)('electron');
  } catch {
    return null; // it has said on standard error why it could not be fetched
  }
}

const program = electronProgram();
if (program === null) {
  console.error(`\nElectron’s program is not here and could not be fetched (its site must be reachable).\n${INSTEAD}`);
  process.exit(1);
}
if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
  console.error(`There is no display to open a window on.\n${INSTEAD}`);
  process.exit(1);
}
if (process.platform === 'linux' && process.getuid() === 0) {
  console.error(`Electron’s sandbox does not run as root: start it as an ordinary user.\n${INSTEAD}`);
  process.exit(1);
}
const child = spawn(program, [resolve(import.meta.dirname, '..')], { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
