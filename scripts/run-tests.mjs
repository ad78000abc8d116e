// All tests, in two lines side by side: files that wait most of their time, and those of the clients behind them, beside all
// others, which keep the processor busy. With arguments (`npm test -- FILE`) they are vitest's, in one run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** Two lines of runs, each with its projects of `vitest.config.ts` by the name under which it writes its counts. */
const LINES = [{ waiting: ['alone', 'waiting'], clients: ['clients'] }, { busy: ['sharing'] }];
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const SIGNALS = ['SIGINT', 'SIGTERM'];

let isStopped = false;
for (const signal of SIGNALS) process.once(signal, () => (isStopped = true));
const wishes = process.argv.slice(2);
const statuses =
  wishes.length > 0 ? [await run('all', wishes, 'inherit')] : (await Promise.all(LINES.map(runLine))).flat();
process.exitCode = statuses.find((status) => status !== 0) ?? 0;

/** Their statuses, one run after the other. */
async function runLine(parts) {
  const ended = [];
  for (const [part, projects] of Object.entries(parts)) {
    if (isStopped) break;
    const wishes = projects.flatMap((project) => ['--project', project]);
    ended.push(await run(part, wishes, 'pipe'));
  }
  return ended;
}

/** Vitest's exit status. Its lines are handed on whole: two runs share the terminal. */
async function run(part, wishes, output) {
  const child = spawn(process.execPath, [VITEST, 'run', ...wishes], {
    stdio: ['inherit', output, output],
    env: { ...process.env, TEST_PART: part },
  });
  for (const signal of SIGNALS) process.once(signal, () => child.kill(signal));
  for (const from of ['stdout', 'stderr'])
    if (child[from]) createInterface({ input: child[from] }).on('line', (line) => process[from].write(`${line}\n`));
  const [code] = await once(child, 'close');
  return code ?? 1;
}
