import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { DatabaseProgram } from '../house/database-program.ts';
import { endProcess } from '../house/end-process.ts';

/** A process that says that it runs this. */
async function running(program: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', `${program}; process.stdout.write('.')`]);
  await once(child.stdout, 'data');
  return child;
}

const WAITS = 'setInterval(() => {}, 1000)';

it('waits for nothing where a signal has ended the process before', async () => {
  const child = await running(WAITS);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await endProcess(child);
  expect(child.signalCode).toBe('SIGKILL');
});

it('ends by force what does not follow a signal', async () => {
  const child = await running(`process.on('SIGTERM', () => {}); ${WAITS}`);
  await endProcess(child, { patienceMs: 50 });
  expect(child.signalCode).toBe('SIGKILL');
});

it('is seen where a program of a test is waited for', async () => {
  const child = await running(WAITS);
  child.kill('SIGKILL');
  const started = {
    name: 'a program',
    url: 'postgres://127.0.0.1:9/none',
    child,
    folder: '',
    endBy: 'SIGTERM',
  } as const;
  await expect(DatabaseProgram.ready(started)).rejects.toThrow('a program ended with SIGKILL');
});
