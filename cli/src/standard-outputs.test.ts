import { EventEmitter } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { endureFaultsOfOutputs } from './standard-outputs.ts';

/** What is said where writing to standard output fails so. */
function saidOf(code: string, isTTY: boolean): string[] {
  const before = process.listeners('exit');
  onTestFinished(() => {
    for (const listener of process.listeners('exit')) if (!before.includes(listener)) process.off('exit', listener);
  });
  const said: string[] = [];
  const stdout = Object.assign(new EventEmitter(), { isTTY });
  const stderr = Object.assign(new EventEmitter(), { write: (text: string) => said.push(text) });
  // `as`: of the process it uses these alone.
  endureFaultsOfOutputs({ stdout, stderr } as unknown as Pick<NodeJS.Process, 'stdout' | 'stderr'>);
  stdout.emit('error', Object.assign(new Error(`write ${code}`), { code }));
  return said;
}

it.each([
  ['EPIPE', false],
  ['EIO', true],
])('a result that nobody reads any more is missed by nobody (%s)', (code, isTTY) => {
  expect(saidOf(code, isTTY)).toEqual([]);
});

it.each(['EIO', 'ENOSPC'])('a result that its file does not take is told (%s)', (code) => {
  expect(saidOf(code, false)).toEqual([`ocr-router: the output cannot be written: write ${code}\n`]);
});
