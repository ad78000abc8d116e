import { afterEach, describe, expect, it, vi } from 'vitest';
import { makePdf } from '../../../../test/house/pdf.ts';
import type { OutputTask } from './output-task.ts';
import { OutputThreads } from './output-threads.ts';

const { signal } = new AbortController();
const LINE = { text: 'fox', polygon: [0.1, 0.1, 0.2, 0.1, 0.2, 0.2, 0.1, 0.2] } as const;

function extension(objects: number): OutputTask {
  const pdf = makePdf([{ content: '0 g 0 0 9 9 re f' }]).toString('latin1');
  const more = Array.from(
    { length: objects },
    (_, at) => `${at + 100} 0 obj\n<< /A [ 1 2 3 4 ] /B (${at}) >>\nendobj\n`,
  );
  const bytes = Buffer.from(
    pdf.replace(/^%PDF-[^\n]*\n/, (head) => `${head}${more.join('')}`),
    'latin1',
  );
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return { kind: 'extend', bytes: shared, pages: [{ page: 1, lines: [LINE] }], documentPages: 1 };
}

const SMALL: OutputTask = extension(0);
const LARGE: OutputTask = extension(40_000);

afterEach(() => vi.restoreAllMocks());

describe('a file that is too much for its thread', () => {
  it.each<[string, Partial<ConstructorParameters<typeof OutputThreads>[0]>, () => void]>([
    ['in time', { timeoutMs: -200 }, () => undefined],
    [
      'for the process',
      {},
      () => {
        vi.spyOn(process.memoryUsage, 'rss')
          .mockReturnValueOnce(1)
          .mockReturnValue(2 ** 31);
      },
    ],
  ])('%s: is refused, and the next one is written', async (_, limits, prepare) => {
    const options = { threads: 1, timeoutMs: 60_000, memoryMb: 256, ...limits };
    await using threads = new OutputThreads(options);
    prepare();
    await expect(threads.run(LARGE, signal)).rejects.toMatchObject({ code: 'unprocessable_entity' });
    vi.restoreAllMocks();
    options.timeoutMs = 60_000;
    expect((await threads.run(SMALL, signal)).kind).toBe('done');
  });
});
