import { type ChildProcess, execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import { CliRecogniser } from './cli.ts';
import { findTesseract } from './program/find-tesseract.ts';
import { ESTIMATE_DPI, type RecognitionTask } from './recogniser.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const installed = await findTesseract({ env });
const log = pino({ level: 'silent' });
const never = new AbortController().signal;
const twoColumns = new URL('../../../../../test/fixtures/two-columns.png', import.meta.url);

/** Every program that this process started. */
const started: ChildProcess[] = [];
const noteStart = (message: unknown) => void started.push((message as { process: ChildProcess }).process); // as documented

let dataDir: string;
let slow: Buffer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tesseract-cli-'));
  const paper = sharp({ create: { width: 2200, height: 3200, channels: 3, background: 'white' } });
  slow = await paper
    .composite([{ input: await readFile(twoColumns), tile: true }])
    .png()
    .toBuffer();
  subscribe('child_process', noteStart);
});
afterEach(() => void started.splice(0));
afterAll(async () => {
  unsubscribe('child_process', noteStart);
  await rm(dataDir, { recursive: true });
});
beforeEach((context) => {
  if (!installed) context.skip('the tesseract program is not on the PATH');
});

function recogniser(places: number): CliRecogniser {
  if (!installed) throw new Error('skipped above');
  return new CliRecogniser(installed, { dataDir, gate: new FairSemaphore(places), env, log });
}

function task(bytes: Buffer): RecognitionTask {
  return { picture: { bytes }, languages: ['eng'], psm: 3, dpi: ESTIMATE_DPI, variables: {} };
}

/** The system still knows a process of this id. */
function isRunning({ pid }: ChildProcess): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('findTesseract', () => {
  it('answers null where there is no such program', async () => {
    expect(await findTesseract({ program: 'no-such-program-here', env })).toBeNull();
    expect(await findTesseract({ program: process.execPath, env })).toBeNull();
  });
});

describe('CliRecogniser', () => {
  it('prints what the bare program prints', async (context) => {
    if (!installed?.languages.includes('eng')) return context.skip('the program has no English data of its own');
    const bytes = await readFile(twoColumns);
    const file = join(dataDir, 'page.png');
    await writeFile(file, bytes);
    const bare = await promisify(execFile)('tesseract', [file, 'stdout', '--dpi', '70']);
    expect(bare.stdout).toContain('harbour');
    expect((await recogniser(1).recognise(task(bytes), never)).text).toBe(bare.stdout.trimEnd());
  });

  it('gives the program nothing but pictures, which it would take for a list of files', async () => {
    const list = Buffer.from('/etc/hostname\n');
    await expect(recogniser(1).recognise(task(list), never)).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('tells a picture that cannot be opened', async () => {
    const broken = (await readFile(twoColumns)).subarray(0, 3000);
    await expect(recogniser(1).recognise(task(broken), never)).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('tells a failure of the program, without any path', async () => {
    if (!installed) return;
    const options = { dataDir, gate: new FairSemaphore(1), env, log };
    const withoutItsData = new CliRecogniser({ ...installed, languages: ['nowhere'] }, options);
    const failure = withoutItsData.recognise({ ...task(await readFile(twoColumns)), languages: ['nowhere'] }, never);
    await expect(failure).rejects.toMatchObject({ kind: 'failed', message: 'tesseract stopped with exit code 1.' });
  });

  it('kills the program when the signal aborts', async () => {
    const abort = new AbortController();
    const reading = recogniser(1).recognise(task(slow), abort.signal);
    reading.catch(() => {});
    await expect.poll(() => started.map(isRunning)).toEqual([true]);
    abort.abort(new Error('no longer wanted'));
    await expect(reading).rejects.toThrow('no longer wanted');
    expect(started.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
    expect(started.map(isRunning)).toEqual([false]);
  });

  it('leaves no rejection alone, whenever the signal aborts while the picture is handed over', async () => {
    const alone: unknown[] = [];
    const note = (reason: unknown) => void alone.push(reason);
    process.on('unhandledRejection', note); // which would end the service
    try {
      for (let turns = 0; turns < 40; turns++) {
        const abort = new AbortController();
        const reading = recogniser(1).recognise(task(slow), abort.signal);
        reading.catch(() => {});
        for (let turn = 0; turn < turns; turn++) await setImmediate();
        abort.abort(new Error('no longer wanted'));
        await expect(reading).rejects.toThrow('no longer wanted');
        await setImmediate();
      }
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(alone).toEqual([]);
  });

  it('lets the program come after the service', async () => {
    const abort = new AbortController();
    const reading = recogniser(1).recognise(task(slow), abort.signal);
    reading.catch(() => {});
    await expect.poll(() => started.map(isRunning)).toEqual([true]);
    expect(started.map(({ pid = 0 }) => getPriority(pid) > getPriority())).toEqual([true]);
    abort.abort(new Error('no longer wanted'));
    await expect(reading).rejects.toThrow('no longer wanted');
  });

  it('runs no more programs than there are places, and lets go of one that waits', async () => {
    const [cli, first, second] = [recogniser(1), new AbortController(), new AbortController()];
    const readings = [cli.recognise(task(slow), first.signal), cli.recognise(task(slow), second.signal)];
    for (const reading of readings) reading.catch(() => {});
    await expect.poll(() => started.map(isRunning)).toEqual([true]);
    second.abort(new Error('gave up waiting'));
    await expect(readings[1]).rejects.toThrow('gave up waiting');
    expect(started.map(isRunning)).toEqual([true]);
    first.abort(new Error('no longer wanted'));
    await expect(readings[0]).rejects.toThrow('no longer wanted');
    expect(started.map(isRunning)).toEqual([false]);
  });
});
