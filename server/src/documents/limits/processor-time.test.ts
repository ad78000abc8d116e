import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { processorMsOf } from './processor-time.ts';

it('says what a process has had of the processor, as long as it is there', async (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux says what a process has had of the processor');
  const before = processorMsOf(process.pid);
  const { user, system } = process.cpuUsage();
  expect(Math.abs((before ?? 0) - (user + system) / 1000)).toBeLessThan(1000);
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  expect(processorMsOf(child.pid)).toBeNull();
  expect(processorMsOf(undefined)).toBeNull();
});
