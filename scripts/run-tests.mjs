// All tests, in two runs side by side: files that wait most of their time beside those that keep the processor busy. With
// arguments (`npm test -- FILE`) they are vitest's, in one run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The projects of `vitest.config.ts`, by the name under which a part writes its counts. */
const PARTS = { waiting: ['alone', 'waiting'], busy: ['sharing'] };
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const wishes = process.argv.slice(2);
const statuses =
  wishes.length > 0
    ? [await run('all', wishes, 'inherit')]
    : await Promise.all(
        Object.entries(PARTS).map(([part, projects]) =>
          run(
            part,
            projects.flatMap((project) => ['--project', project]),
            'pipe',
          ),
        ),
      );
process.exitCode = statuses.find((status) => status !== 0) ?? 0;

/** Vitest's exit status. Its lines are handed on whole: two runs share the terminal. */
async function run(part, wishes, output) {
  const child = spawn(process.execPath, [VITEST, 'run', ...wishes], {
    stdio: ['inherit', output, output],
    env: { ...process.env, TEST_PART: part },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  for (const from of ['stdout', 'stderr'])
    if (child[from]) createInterface({ input: child[from] }).on('line', (line) => process[from].write(`${line}\n`));
  const [code] = await once(child, 'close');
  return code ?? 1;
}
