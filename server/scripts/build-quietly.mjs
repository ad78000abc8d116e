// Builds the server before a command whose standard output belongs to the command: a failure is told on standard error.
import { spawnSync } from 'node:child_process';

const build = spawnSync('turbo run build --filter=@ocr-router/server --output-logs=errors-only', {
  shell: true, // npm has put turbo on the PATH, by whatever name the platform calls it
  stdio: ['ignore', 'pipe', 'pipe'],
  encoding: 'utf8',
});
if (build.status !== 0) {
  process.stderr.write(build.stdout + build.stderr);
  process.exit(build.status ?? 1);
}
