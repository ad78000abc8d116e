import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Gate } from '../../../gate.ts';
import { CliRecogniser } from './cli.ts';
import { findTesseract } from './find-tesseract.ts';
import { ESTIMATE_DPI, type Job } from './recogniser.ts';

const installed = await findTesseract();
const log = pino({ level: 'silent' });
const never = new AbortController().signal;
const twoColumns = new URL('../../../../../test/fixtures/two-columns.png', import.meta.url);

let dataDir: string;
let slow: Buffer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tesseract-cli-'));
  const noise = { type: 'gaussian' as const, mean: 200, sigma: 40 };
  slow = await sharp({ create: { width: 2480, height: 3508, channels: 3, background: 'white', noise } })
    .png()
    .toBuffer();
});
afterAll(() => rm(dataDir, { recursive: true }));
beforeEach((context) => {
  if (!installed) context.skip('the tesseract program is not on the PATH');
});

function recogniser(places: number): CliRecogniser {
  if (!installed) throw new Error('skipped above');
  return new CliRecogniser(installed, { dataDir, gate: new Gate(places), log });
}

function job(bytes: Buffer): Job {
  return { bytes, languages: ['eng'], psm: 3, dpi: ESTIMATE_DPI, variables: {} };
}

/** The ids of the programs that this process runs now. */
async function running(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,ppid=,comm=', '-A']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => Number(parent) === process.pid && name === 'tesseract')
    .map(([id]) => Number(id));
}

describe('findTesseract', () => {
  it('answers null where there is no such program', async () => {
    expect(await findTesseract('no-such-program-here')).toBeNull();
    expect(await findTesseract(process.execPath)).toBeNull();
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
    expect((await recogniser(1).recognise(job(bytes), never)).text).toBe(bare.stdout.trimEnd());
  });

  it('gives the program nothing but pictures, which it would take for a list of files', async () => {
    const list = Buffer.from('/etc/hostname\n');
    await expect(recogniser(1).recognise(job(list), never)).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('tells a picture that cannot be opened', async () => {
    const broken = (await readFile(twoColumns)).subarray(0, 3000);
    await expect(recogniser(1).recognise(job(broken), never)).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('tells a failure of the program, without any path', async () => {
    const noData = { ...job(await readFile(twoColumns)), variables: { tessedit_ocr_engine_mode: '0' } };
    const failure = recogniser(1).recognise(noData, never);
    await expect(failure).rejects.toMatchObject({ kind: 'failed' });
    await expect(failure).rejects.not.toThrow('/');
  });

  it('kills the program when the signal aborts', async () => {
    const abort = new AbortController();
    const reading = recogniser(1).recognise(job(slow), abort.signal);
    reading.catch(() => {});
    await expect.poll(running).toHaveLength(1);
    abort.abort(new Error('no longer wanted'));
    await expect(reading).rejects.toThrow('no longer wanted');
    expect(await running()).toEqual([]);
  });

  it('runs no more programs than there are places, and lets go of one that waits', async () => {
    const [cli, first, second] = [recogniser(1), new AbortController(), new AbortController()];
    const readings = [cli.recognise(job(slow), first.signal), cli.recognise(job(slow), second.signal)];
    for (const reading of readings) reading.catch(() => {});
    await expect.poll(running).toHaveLength(1);
    second.abort(new Error('gave up waiting'));
    await expect(readings[1]).rejects.toThrow('gave up waiting');
    expect(await running()).toHaveLength(1);
    first.abort();
    await expect(readings[0]).rejects.toThrow();
  });

  it('leaves nothing behind of a temporary file', async () => {
    expect((await readdir(dataDir)).filter((name) => name !== 'page.png' && name !== 'tessdata')).toEqual([]);
  });
});
