import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scannedJpeg } from '../../../../test/house/scanned-jpeg.ts';
import { threadPriorities } from '../../../../test/house/thread-priorities.ts';
import { until } from '../../../../test/house/until.ts';
import { Documents } from '../documents.ts';
import type { PagePicture } from '../formats/document.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import { PictureProcesses } from './picture-processes.ts';

const MB = 1024 * 1024;
const OPTIONS = { processes: 1, timeoutMs: 120_000, roomBytes: 512 * MB };
/** Long enough for a process to start in, on a machine that is slow and has much else to do. */
const GIVES_UP_MS = 10_000;
const LIMITS = { maxPixels: 100e6, maxSentPixels: 40e6 };

/** A picture of such a size that its process, with its start, takes longer than finding and killing it. */
let large: Buffer;
let small: Buffer;

beforeAll(async () => {
  large = await noise(1200, 900);
  small = await noise(60, 40);
});

async function noise(width: number, height: number): Promise<Buffer> {
  const create = { width, height, channels: 3, background: '#888' } as const;
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .webp({ quality: 60, effort: 0 })
    .toBuffer();
}

function normalise(bytes: Buffer) {
  const task = { kind: 'normalise', format: 'webp', frame: 1, decoded: false, path: null, ...LIMITS } as const;
  return { bytes, task, decodedBytes: 3 * MB };
}

/** Of a variable: a test that fails prints no secrets. */
function nameOf(variable: string): string {
  return variable.split('=')[0] ?? '';
}

describe('picture processes', () => {
  const kept = new PictureProcesses(OPTIONS);
  afterAll(() => kept[Symbol.asyncDispose]());

  it('decodes in a process that is kept for the next picture', async () => {
    const first = await kept.run(normalise(small));
    expect(first.value).toMatchObject({ width: 60, height: 40 });
    const [pid] = kept.pids;
    await kept.run(normalise(await noise(50, 40)));
    expect(kept.pids).toEqual([pid]);
  });

  it('start nothing more once they are closed', async () => {
    const processes = new PictureProcesses(OPTIONS);
    const outcome = (bytes: Buffer) => processes.run(normalise(bytes)).then(() => 'decoded', String);
    const decoding = outcome(large);
    await until('a process decodes', () => processes.pids.length > 0);
    await processes[Symbol.asyncDispose]();
    expect([await decoding, await outcome(small)]).toEqual([expect.stringContaining('closed'), await decoding]);
    expect(processes.pids).toEqual([]);
  });

  it('come after the service that they decode for', async () => {
    await kept.run(normalise(small));
    expect(kept.pids.map((pid) => getPriority(pid) > getPriority())).toEqual([true]);
  });

  it('come after it with every thread that decodes', async (context) => {
    if (process.platform !== 'linux') return context.skip('only Linux has a priority for each thread');
    await kept.run(normalise(small));
    const [pid = 0] = kept.pids;
    expect(threadPriorities(pid)).toEqual([getPriority(pid)]);
    expect(getPriority(pid)).toBeGreaterThan(getPriority());
  });

  it('have nothing of the service’s environment', async (context) => {
    if (process.platform !== 'linux') return context.skip('only Linux shows what a process was started with');
    process.env['PROVIDER_KEY'] = 'a secret';
    try {
      await using processes = new PictureProcesses(OPTIONS);
      await processes.run(normalise(small));
      const environments = await Promise.all(processes.pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8')));
      expect(environments.map((environment) => environment.split('\0').map(nameOf))).toEqual([['']]);
    } finally {
      delete process.env['PROVIDER_KEY'];
    }
  });

  it('ends a process that has nothing to do, and makes another one for the next picture', async () => {
    await using processes = new PictureProcesses({ ...OPTIONS, idleMs: 20 });
    await processes.run(normalise(small));
    await until('it has ended', () => processes.pids.length === 0);
    expect((await processes.run(normalise(small))).value).toMatchObject({ width: 60, height: 40 });
  });

  it('leaves a process to others, however many long pictures wait', async () => {
    await using processes = new PictureProcesses({ ...OPTIONS, processes: 2, idleMs: 600_000 });
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    const long = [1, 2, 3].map((n) => processes.run({ ...normalise(small), isLong: true }).then(note(`long ${n}`)));
    const pid = await until('one of them has begun', () => processes.pids[0]);
    process.kill(pid, 'SIGSTOP'); // longer than anything else takes
    await processes.run(normalise(small)).then(note('small'));
    expect(processes.pids).toHaveLength(2);
    process.kill(pid, 'SIGCONT');
    await Promise.all(long);
    expect(ended[0]).toBe('small');
    expect(processes.pids).toHaveLength(2);
  });

  it('opens no more long pictures of an account at once than others, and refuses the next', async () => {
    await using processes = new PictureProcesses({ ...OPTIONS, idleMs: 600_000 });
    const gone = new AbortController();
    const decode = (opening: boolean) =>
      processes.run({ ...normalise(small), isLong: true }, { party: 'a', opening, signal: gone.signal });
    const first = decode(false);
    const pid = await until('it has begun', () => processes.pids[0]);
    process.kill(pid, 'SIGSTOP'); // longer than anything else takes
    const waiting = Array.from({ length: 32 }, () => decode(true));
    await expect(decode(true)).rejects.toMatchObject({ code: 'engine_unavailable' });
    gone.abort(new Error('gone'));
    for (const { status } of await Promise.allSettled([first, ...waiting])) expect(status).toBe('rejected');
  });

  it("decodes another's small picture while large ones of two accounts wait for each other", async () => {
    await using processes = new PictureProcesses({ ...OPTIONS, idleMs: 600_000 });
    const ended: string[] = [];
    const decode = (party: string, decodedBytes: number) =>
      processes.run({ ...normalise(small), decodedBytes }, { party }).then(() => void ended.push(party));
    const first = decode('first', 500 * MB);
    const pid = await until('it has begun', () => processes.pids[0]);
    process.kill(pid, 'SIGSTOP'); // longer than anything else takes
    const second = decode('second', 500 * MB);
    await decode('third', 3 * MB);
    expect(ended).toEqual(['third']);
    process.kill(pid, 'SIGCONT');
    await Promise.all([first, second]);
    expect(ended).toEqual(['third', 'first', 'second']);
  });

  it('decodes again when the process is killed in the middle', async () => {
    await using processes = new PictureProcesses(OPTIONS);
    const reading = processes.run(normalise(large));
    const pid = await until('it has begun', () => processes.pids[0]);
    process.kill(pid, 'SIGKILL');
    expect((await reading).value).toMatchObject({ width: 1200, height: 900 });
    expect(processes.pids).not.toContain(pid);
  });

  it('says so when the decoder breaks over a picture again', async () => {
    await using processes = new PictureProcesses(OPTIONS);
    const reading = processes.run(normalise(large));
    const ended = expect(reading).rejects.toMatchObject({
      code: 'unprocessable_entity',
      message: expect.stringMatching(/broke/),
    });
    const first = await until('it has begun', () => processes.pids[0]);
    process.kill(first, 'SIGKILL');
    const second = await until('it has begun again', () => processes.pids.find((pid) => pid !== first));
    process.kill(second, 'SIGKILL');
    await ended;
    expect((await processes.run(normalise(small))).value).toMatchObject({ width: 60 });
  });

  it('gives up a picture that takes too long, with its process, and decodes the next one', async () => {
    await using processes = new PictureProcesses({ ...OPTIONS, timeoutMs: GIVES_UP_MS });
    await processes.run(normalise(small));
    const [pid] = processes.pids;
    if (pid === undefined) throw new Error('no process was kept');
    process.kill(pid, 'SIGSTOP'); // as stuck as a decoder can be
    await expect(processes.run(normalise(small))).rejects.toMatchObject({
      code: 'unprocessable_entity',
      message: expect.stringMatching(/too long/),
    });
    expect(processes.pids).not.toContain(pid);
    expect((await processes.run(normalise(small))).value).toMatchObject({ width: 60 });
  });

  it('finds no fault with a picture whose process does not get the processor while it is opened', async (context) => {
    if (process.platform !== 'linux') return context.skip('only Linux says what a process has had of the processor');
    await using processes = new PictureProcesses({ ...OPTIONS, timeoutMs: GIVES_UP_MS });
    await processes.run(normalise(small));
    process.kill(processes.pids[0] ?? 0, 'SIGSTOP');
    const client = { party: 'a', opening: true };
    await expect(processes.run(normalise(small), client)).rejects.toMatchObject({
      code: 'engine_unavailable',
      details: { retryAfterSeconds: 10 },
    });
    expect((await processes.run(normalise(small), { party: 'a' })).value).toMatchObject({ width: 60 });
  });

  it('stops the process when the caller leaves', async () => {
    await using processes = new PictureProcesses(OPTIONS);
    const gone = new AbortController();
    const reading = processes.run(normalise(large), { signal: gone.signal });
    const pid = await until('it has begun', () => processes.pids[0]);
    gone.abort(new Error('left'));
    await expect(reading).rejects.toThrow('left');
    expect(processes.pids).not.toContain(pid);
  });

  it('ends its processes with itself', async () => {
    const processes = new PictureProcesses(OPTIONS);
    await processes.run(normalise(small));
    const [pid = 0] = processes.pids;
    await processes[Symbol.asyncDispose]();
    await until('it has ended', () => !isAlive(pid));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('documents', () => {
  const documents = new Documents({
    threads: 1,
    ...LIMITS,
    maxPages: 10,
    pdfTimeoutMs: 120_000,
    memoryMb: 64,
  });
  afterAll(() => documents[Symbol.asyncDispose]());

  it('decodes pictures as files, without their bytes in this process', async () => {
    const picture = await documents.picture(small, 'webp', 1, { dpi: null, decoded: true, asFile: true });
    expect(picture.file).toBeDefined();
    expect((await sharp(picture.bytes).metadata()).width).toBe(60);
    await picture.file?.close();
  });

  it('refuses what is broken with the same reason as ever', async () => {
    const broken = small.subarray(0, 100);
    await expect(documents.inspect(broken)).rejects.toMatchObject({
      code: 'unprocessable_entity',
      message: expect.stringMatching(/cut off/),
    });
  });
});

describe('a picture that went through as it is', () => {
  const looks = {
    'looked at for ink': (documents: Documents, picture: PagePicture, client: DocumentClient) =>
      documents.isBlank(picture, client),
    'made smaller': async (_documents: Documents, picture: PagePicture, client: DocumentClient) =>
      picture.decoder?.scale(picture, 0.5, client),
  };
  const open = (threads: number) =>
    new Documents({ threads, ...LIMITS, maxPages: 10, pdfTimeoutMs: 120_000, memoryMb: 64 });
  const untouched = (documents: Documents, side = 1500) =>
    documents.picture(scannedJpeg({ width: side, height: side, scans: 100 }), 'jpeg', 1, { dpi: null });

  it.each(Object.entries(looks))('is %s beside those of others, however long that takes', async (_name, look) => {
    await using documents = open(1);
    const picture = await untouched(documents, 3000);
    // Both processes are there: starting one takes longer than a look, where memory is slow.
    await Promise.all(['b', 'c'].map((party) => documents.inspect(small, { party })));
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    const enough = new AbortController();
    const client = { party: 'a', signal: enough.signal };
    const long = [1, 2, 3].map(() => look(documents, picture, client).then(note('long')));
    const left = Promise.allSettled(long);
    await new Promise(setImmediate); // the first of them has its process
    await documents.inspect(small, { party: 'b' }).then(note('small'));
    expect(ended[0]).toBe('small');
    enough.abort(new Error('enough'));
    const reasons = (await left).flatMap((look) => (look.status === 'rejected' ? [String(look.reason)] : []));
    expect(reasons.every((reason) => /enough/.test(reason))).toBe(true);
  });

  it.each(Object.entries(looks))('is no longer %s once its caller has left', async (_name, look) => {
    await using documents = open(1);
    const gone = new AbortController();
    const looking = look(documents, await untouched(documents), { signal: gone.signal });
    gone.abort(new Error('left'));
    await expect(looking).rejects.toThrow('left');
  });
});
