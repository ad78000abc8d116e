import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isKept } from './kept-output.ts';

const DEVICE = '/dev/null';

let folder: string;
let output: number;
describe.skipIf(process.platform !== 'linux')('what keeps the output', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kept-'));
    output = openSync(DEVICE, 'w'); // a regular file is kept always
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
    symlinkSync(DEVICE, join(folder, 'first'));
    symlinkSync(join(folder, 'another'), join(folder, 'other'));
    expect(isKept({ output, journalStream: null, containerOutput: join(folder, 'first') })).toBe(true);
    expect(isKept({ output, journalStream: null, containerOutput: join(folder, 'other') })).toBe(false);
    expect(isKept({ output, journalStream: null, containerOutput: join(folder, 'none') })).toBe(false);
  });

  it('knows a file that output is sent to', () => {
    const file = openSync(join(folder, 'nohup.out'), 'w');
    expect(isKept({ output: file, journalStream: null, containerOutput: '/nowhere' })).toBe(true);
    expect(isKept({ output, journalStream: null, containerOutput: '/nowhere' })).toBe(false);
    closeSync(file);
  });
});
