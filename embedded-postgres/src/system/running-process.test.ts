import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { exists, fromPs, runningProcess } from './running-process.ts';

it('tells a process from another one with the same id by its start', async () => {
  const own = runningProcess(process.pid);
  expect(own?.startedAt).toMatch(/\S/);
  expect(runningProcess(process.pid)?.startedAt).toBe(own?.startedAt);
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const other = runningProcess(child.pid ?? 0);
  expect(other).toMatchObject({ command: 'sleep', title: 'sleep 60 ' });
  expect(other?.startedAt).not.toBe(own?.startedAt);
  child.kill();
  await once(child, 'exit');
});

it('finds no process under an id that has none', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  expect(runningProcess(child.pid ?? 0)).toBeNull();
  expect(exists(child.pid ?? 0)).toBe(false);
});

it.runIf(existsSync('/proc/self/stat'))(
  'takes none that is on its way out for one whose folder is hidden',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ocr-router-exits-'));
    const program = join(folder, 'short-lived');
    copyFileSync('/bin/sleep', program);
    const hidden: string[] = [];
    let [living, ended] = [0, 0];
    while (ended < 100) {
      for (; living < 20; living++) {
        spawn(program, [`0.0${living % 10}`], { stdio: 'ignore' }).once('exit', () => {
          living--;
          ended++;
        });
      }
      for (const pid of readdirSync('/proc').map(Number)) {
        const found = pid > 0 ? runningProcess(pid) : null;
        if (found?.directory === null) hidden.push(found.command);
      }
      await setImmediate();
    }
    rmSync(folder, { recursive: true });
    expect(hidden).not.toContain('short-lived');
  },
);

it.runIf(existsSync('/bin/ps'))('learns the same from ps where there is no /proc', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  expect(fromPs(child.pid ?? 0)).toMatchObject({ command: 'sleep', title: 'sleep 60 ', directory: null });
  expect(fromPs(child.pid ?? 0)?.startedAt).toBe(fromPs(child.pid ?? 0)?.startedAt);
  child.kill();
  await once(child, 'exit');
  expect(fromPs(child.pid ?? 0)).toBeNull();
  expect(fromPs(process.pid)?.command).toBe(basename(process.title.split(' ')[0] ?? ''));
});
