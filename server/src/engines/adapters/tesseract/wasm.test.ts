import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evaluateInThread } from '../../../../../test/house/evaluate-in-thread.ts';
import { threadPriorities } from '../../../../../test/house/thread-priorities.ts';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import { ESTIMATE_DPI, type RecognitionTask } from './recogniser.ts';
import { WasmRecogniser } from './wasm.ts';

const never = new AbortController().signal;
const started: Worker[] = [];
const noteStart = (worker: Worker) => void started.push(worker);

let dataDir: string;
let word: Buffer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tesseract-wasm-'));
  word = await readFile(new URL('../../../../../test/fixtures/one-word.png', import.meta.url));
  process.on('worker', noteStart);
});
afterEach(() => void started.splice(0));
afterAll(async () => {
  process.off('worker', noteStart);
  await rm(dataDir, { recursive: true });
});

function recogniser(options: { workers?: number; picturesPerWorker?: number; idleMs?: number } = {}): WasmRecogniser {
  const workers = options.workers ?? 1;
  return new WasmRecogniser({ ...options, dataDir, gate: new FairSemaphore(workers), workers });
}

function task(bytes: Buffer, languages = ['eng']): RecognitionTask {
  return { picture: { bytes }, languages, psm: 3, dpi: ESTIMATE_DPI, variables: {} };
}

/** A thread that has ended has no id any more. */
const ended = () => started.map((worker) => worker.threadId === -1);

describe('WasmRecogniser', () => {
  it('keeps a thread warm for the next page of the same language', async () => {
    await using wasm = recogniser();
    await wasm.recognise(task(word), never);
    expect((await wasm.recognise(task(word), never)).text).toBe('Delivered');
    expect(ended()).toEqual([false]);
  });

  it('reads in a thread that comes after the one that answers calls', async (context) => {
    if (process.platform !== 'linux') return context.skip('only Linux has a priority for each thread');
    const before = threadPriorities(process.pid);
    await using wasm = recogniser();
    await wasm.recognise(task(word), never);
    expect(threadPriorities(process.pid).filter((nice) => !before.includes(nice))).toEqual([
      Math.min(getPriority() + 10, 19),
    ]);
  });

  it('reads in a thread that has nothing of the service’s environment or command line', async () => {
    process.env['PROVIDER_KEY'] = 'a secret';
    try {
      await using wasm = recogniser();
      expect((await wasm.recognise(task(word), never)).text).toBe('Delivered');
      const [thread] = started;
      if (!thread) throw new Error('it was read in no thread');
      expect(await evaluateInThread(thread, 'Object.keys(process.env)')).toEqual([]);
      expect(await evaluateInThread(thread, 'process.argv.slice(2)')).toEqual([]);
      expect(process.env['PROVIDER_KEY']).toBe('a secret'); // the thread's was a copy
    } finally {
      delete process.env['PROVIDER_KEY'];
    }
  });

  it('never has more threads than places, whatever the languages', async () => {
    await using wasm = recogniser();
    await wasm.recognise(task(word), never);
    await wasm.recognise(task(word, ['kor', 'eng']), never);
    expect(ended()).toEqual([true, false]);
  });

  it('replaces a thread after its share of pictures', async () => {
    await using wasm = recogniser({ picturesPerWorker: 1 });
    await wasm.recognise(task(word), never);
    await wasm.recognise(task(word), never);
    expect(ended()).toEqual([true, true]);
  });

  it('ends a thread that has nothing to do', async () => {
    await using wasm = recogniser({ idleMs: 1 });
    await wasm.recognise(task(word), never);
    await expect.poll(ended).toEqual([true]);
  });

  it('ends its threads when it is closed', async () => {
    const wasm = recogniser();
    await wasm.recognise(task(word), never);
    await wasm[Symbol.asyncDispose]();
    expect(ended()).toEqual([true]);
  });

  it('survives a picture that cannot be opened', async () => {
    await using wasm = recogniser();
    await expect(wasm.recognise(task(Buffer.from('no picture')), never)).rejects.toMatchObject({ kind: 'unreadable' });
    expect((await wasm.recognise(task(word), never)).text).toBe('Delivered');
  });

  it('ends the thread when the signal aborts', async () => {
    await using wasm = recogniser();
    const paper = sharp({ create: { width: 2200, height: 3200, channels: 3, background: 'white' } });
    const slow = await paper
      .composite([{ input: word, tile: true }])
      .png()
      .toBuffer();
    const abort = new AbortController();
    await wasm.recognise(task(word), never); // so that the thread is there
    const reading = wasm.recognise(task(slow), abort.signal);
    reading.catch(() => {});
    abort.abort(new Error('no longer wanted'));
    await expect(reading).rejects.toThrow('no longer wanted');
    expect(ended()).toEqual([true]);
    expect((await wasm.recognise(task(word), never)).text).toBe('Delivered');
  });

  it('ends a thread that could not be started', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'tesseract-broken-'));
    await writeFile(join(dir, 'eng.traineddata'), 'no data');
    const given = { languages: ['eng'], dir };
    await using wasm = new WasmRecogniser({ dataDir, given, gate: new FairSemaphore(1), workers: 1 });
    await expect(wasm.recognise(task(word), never)).rejects.toThrow('could not be started');
    await expect.poll(ended).toEqual([true]);
    await rm(dir, { recursive: true });
  });

  it('keeps no process alive', async () => {
    const program = `
      import { readFileSync } from 'node:fs';
      const { WasmRecogniser } = await import(${JSON.stringify(new URL('./wasm.ts', import.meta.url))});
      const { FairSemaphore } = await import(${JSON.stringify(new URL('../../../platform/concurrency/fair-semaphore.ts', import.meta.url))});
      const wasm = new WasmRecogniser({ dataDir: ${JSON.stringify(dataDir)}, gate: new FairSemaphore(1), workers: 1 });
      const bytes = Buffer.from(${JSON.stringify(word.toString('base64'))}, 'base64');
      const task = { picture: { bytes }, languages: ['eng'], psm: 3, dpi: 70, variables: {} };
      process.stdout.write((await wasm.recognise(task, new AbortController().signal)).text);`;
    const file = join(dataDir, 'program.mjs'); // a thread inherits flags, and none fits `--input-type`
    await writeFile(file, program);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toBe('Delivered');
  });
});
