import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

/** Loaded before a program (`--import=URL?to=FILE`): SIGUSR2 begins a CPU profile, the second one writes it to the file. */
const file = new URL(import.meta.url).searchParams.get('to');
if (isMainThread && file) {
  const session = new Session();
  session.connect();
  let running = false;
  process.on('SIGUSR2', () => void (running ? write(file) : begin()));

  async function begin(): Promise<void> {
    running = true;
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 500 });
    await session.post('Profiler.start');
  }

  async function write(to: string): Promise<void> {
    running = false;
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(to, JSON.stringify(profile));
  }
}
