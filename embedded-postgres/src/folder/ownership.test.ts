import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runningProcess } from '../system/running-process.ts';
import { claimOwnership } from './ownership.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ocr-router-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a living owner keeps others out and is named', () => {
  expect(claimOwnership(folder, 'server')).toHaveProperty('ownership');
  expect(claimOwnership(folder, 'command')).toMatchObject({ heldBy: { pid: process.pid, kind: 'server' } });
});

it('a released folder is free, and its number is not given again', () => {
  for (const number of [1, 2, 3]) {
    const claim = claimOwnership(folder, 'server');
    if (!('ownership' in claim)) throw new Error('not free');
    expect(readdirSync(folder)).toEqual([`postgres-owner.${number}.json`]);
    claim.ownership.release();
    expect(readdirSync(folder)).toEqual([`postgres-owner.${number}.json`]);
  }
});

it('a dead owner does not keep others out, also when its id has gone to another process', () => {
  leaveOwner(4, { pid: process.pid, startedAt: 'of a former process' });
  expect(claimOwnership(folder, 'server')).toHaveProperty('ownership');
  expect(readdirSync(folder)).toEqual(['postgres-owner.5.json']);
});

it('a file that a power failure cut off does not keep others out', () => {
  writeFileSync(join(folder, 'postgres-owner.4.json'), '');
  expect(claimOwnership(folder, 'server')).toHaveProperty('ownership');
});

it('the owner with the highest number counts, whatever a slow process leaves below it', () => {
  leaveOwner(6, { pid: process.pid, startedAt: 'of a former process' });
  leaveOwner(7, { pid: process.pid, startedAt: runningProcess(process.pid)?.startedAt ?? '' });
  expect(claimOwnership(folder, 'server')).toMatchObject({ heldBy: { pid: process.pid } });
  expect(JSON.parse(readFileSync(join(folder, 'postgres-owner.7.json'), 'utf8'))).toMatchObject({ released: false });
});

function leaveOwner(number: number, owner: { pid: number; startedAt: string }): void {
  const content = JSON.stringify({ ...owner, kind: 'server', released: false });
  writeFileSync(join(folder, `postgres-owner.${number}.json`), content);
}
