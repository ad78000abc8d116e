import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isKept } from './kept-output.ts';

let folder: string;
let output: number;
beforeEach((context) => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
  output = openSync(join(folder, 'log'), 'w');
  if (process.platform !== 'linux') context.skip('there is no /proc');
});
afterEach(() => {
  closeSync(output);
  rmSync(folder, { recursive: true });
});

it('knows the stream of the journal', () => {
  const { dev, ino } = fstatSync(output);
  expect(isKept({ output, journalStream: `${dev}:${ino}`, containerOutput: '/nowhere' })).toBe(true);
  expect(isKept({ output, journalStream: `${dev}:${ino + 1}`, containerOutput: '/nowhere' })).toBe(false);
});

it('knows the log of the container by its first process', () => {
  symlinkSync(join(folder, 'log'), join(folder, 'first'));
  symlinkSync(join(folder, 'another'), join(folder, 'other'));
  expect(isKept({ output, journalStream: null, containerOutput: join(folder, 'first') })).toBe(true);
  expect(isKept({ output, journalStream: null, containerOutput: join(folder, 'other') })).toBe(false);
  expect(isKept({ output, journalStream: null, containerOutput: join(folder, 'none') })).toBe(false);
});
