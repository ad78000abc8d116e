import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EmbeddedPostgresError } from '../error.ts';
import { canEnter, canUse, sharedFolder } from './reachable.ts';

const OTHER = { uid: 54321, gid: 54321 };
let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ocr-router-test-')));
  mkdirSync(join(folder, 'inner'), { mode: 0o755 });
  chmodSync(folder, 0o755);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

// The folder for temporary files may itself be closed to others.
it.runIf(canEnter(tmpdir(), OTHER))('a folder can be entered when every folder above it can', () => {
  expect(canEnter(join(folder, 'inner'), OTHER)).toBe(true);
  chmodSync(folder, 0o700);
  expect(canEnter(join(folder, 'inner'), OTHER)).toBe(false);
  const { uid, gid } = statSync(folder);
  expect(canEnter(folder, { uid, gid })).toBe(canEnter(dirname(folder), { uid, gid }));
});

it.runIf(canEnter(tmpdir(), OTHER))('the members of its group count before the others', () => {
  const { gid } = statSync(folder);
  chmodSync(folder, 0o705);
  expect(canEnter(folder, OTHER)).toBe(true);
  expect(canEnter(folder, { uid: OTHER.uid, gid })).toBe(false);
});

it.runIf(canEnter(tmpdir(), OTHER))(
  'a program can be used when it may be read and executed, at the end of its links too',
  () => {
    const program = join(folder, 'inner', 'program');
    writeFileSync(program, '', { mode: 0o755 });
    symlinkSync(program, join(folder, 'link'));
    chmodSync(program, 0o755);
    expect(canUse(join(folder, 'link'), OTHER)).toBe(true);
    chmodSync(program, 0o711);
    expect(canUse(join(folder, 'link'), OTHER)).toBe(false);
  },
);

it.runIf(canEnter(tmpdir(), OTHER))(
  'the shared folder is never one that others can write to, or a link of theirs',
  () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    for (const base of [first, second]) mkdirSync(base);
    expect(sharedFolder('ocr-router', OTHER, [first, second])).toBe(join(first, 'ocr-router'));
    chmodSync(join(first, 'ocr-router'), 0o777);
    expect(sharedFolder('ocr-router', OTHER, [first, second])).toBe(join(second, 'ocr-router'));
    rmSync(join(second, 'ocr-router'), { recursive: true });
    symlinkSync(join(folder, 'inner'), join(second, 'ocr-router'));
    expect(() => sharedFolder('ocr-router', OTHER, [first, second])).toThrow(EmbeddedPostgresError);
    expect(existsSync(join(folder, 'inner', 'ocr-router'))).toBe(false);
  },
);
