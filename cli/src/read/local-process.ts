import { removeFolder } from './local-folder.ts';

// The gateway of `--local`, in the folder that the first argument names. It ends when the command that started it has let it go, or
// is gone, however that ended; a signal would not come then, and Windows has none.

const [, , folder = ''] = process.argv;

process.once('disconnect', stop);
process.once('exit', () => removeFolder(folder)); // PostgreSQL has ended by then
if (process.connected) await import('@ocr-router/server/dist/main.js');

/** As at SIGTERM; while nothing listens for that yet, nothing has been started. */
function stop(): void {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit();
}
