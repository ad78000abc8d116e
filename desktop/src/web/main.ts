import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConsoleCore } from '../core/console-core.ts';
import { ConsoleFiles } from '../core/page/console-files.ts';
import { FileVault, UNSEALED } from '../core/profiles/file-vault.ts';
import { trustSystem } from '../core/trust-system.ts';
import { ConsoleServer } from './serve-console.ts';
import { webSettings } from './settings.ts';

const HOME = join(import.meta.dirname, '../..');

/** `npm run desktop:web`: the console in a browser on this machine, with the tokens kept in this process. */
async function main(): Promise<void> {
  const { port, folder, fixedProfile } = webSettings(process.argv.slice(2), process.env);
  trustSystem();
  using core = await ConsoleCore.open({
    info: { version: versionOf(HOME), shell: 'web' },
    folder,
    vault: new FileVault(join(folder, 'tokens.json'), UNSEALED),
    fixedProfile,
    fetch,
    now: Date.now,
    openExternal: async () => {}, // the page opens what was allowed
    writeClipboard: () => {}, // the page has one of its own
    zoom: null,
    notify: () => {}, // the page shows what fired
  });
  const files = await ConsoleFiles.read(join(HOME, 'dist/renderer'));
  await using server = await ConsoleServer.start({
    core,
    files,
    port,
    onEntered: (next) => console.log(`A browser has connected. The address for another one:\n\n  ${next}\n`),
  });
  console.log(`The console, for a browser on this machine:\n\n  ${server.address}\n\nStop it with Ctrl+C.`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
}

function versionOf(home: string): string {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }; // our own file
  return version;
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message); // settings and files fail with sentences
  process.exitCode = 1;
}
