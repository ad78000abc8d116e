import { removeFolder } from './local-folder.ts';

// Runs the gateway of `--local` in the folder that the first argument names. It ends when the command that started it lets it go,
// or is gone, however that ended: no signal would come then, and Windows has none.

const [, , folder = ''] = process.argv;

process.once('disconnect', stop);
process.once('exit', () => removeFolder(folder)); // PostgreSQL has ended by then
if (process.connected) await import('@ocr-router/server/dist/main.js');

/** Stops as at SIGTERM. While nothing listens for that signal, nothing has been started. */
function stop(): void {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit();
}
