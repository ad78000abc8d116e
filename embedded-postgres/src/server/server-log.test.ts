import { closeSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cutServerLog, openServerLog, readServerLog, serverLog } from './server-log.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ocr-router-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('continues at a start, and tells what was written since', () => {
  const path = serverLog(folder);
  writeFileSync(path, 'before\n');
  const { fd, offset } = openServerLog(path);
  writeSync(fd, 'after\n');
  closeSync(fd);
  expect(readServerLog(path, offset)).toBe('after\n');
  expect(readFileSync(path, 'utf8')).toBe('before\nafter\n');
});

it('is cut when it is large, while the server goes on writing to it', () => {
  const path = serverLog(folder);
  const { fd } = openServerLog(path);
  writeSync(fd, 'x'.repeat(5 * 1024 * 1024));
  cutServerLog(path);
  expect(existsSync(`${path}.1`)).toBe(false);
  writeSync(fd, 'one too many');
  cutServerLog(path);
  writeSync(fd, 'after\n');
  closeSync(fd);
  expect(readFileSync(path, 'utf8')).toBe('after\n');
  expect(statSync(`${path}.1`).size).toBe(5 * 1024 * 1024 + 'one too many'.length);
});
