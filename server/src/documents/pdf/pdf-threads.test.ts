import { getPriority } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { ENDLESS_PAGE, nestedGroups } from '../../../../test/house/broken-documents.ts';
import { makePdf } from '../../../../test/house/pdf.ts';
import { threadPriorities } from '../../../../test/house/thread-priorities.ts';
import { Documents, type DocumentsOptions } from '../documents.ts';
import { webAssembly } from './library/web-assembly.ts';

const OPTIONS: DocumentsOptions = {
  threads: 1,
  maxPixels: 40e6,
  maxSentPixels: 40e6,
  maxPages: 50,
  pdfTimeoutMs: 60_000,
  memoryMb: 256,
};

const MB = 1024 * 1024;
const PDF = makePdf([{ text: 'a page' }]);
const ENDLESS = makePdf([ENDLESS_PAGE]);

describe('PDF threads', () => {
  it('gives up a document that takes too long, and reads the next one', async () => {
    await using documents = new Documents({ ...OPTIONS, pdfTimeoutMs: 5_000 });
    await expect(documents.picture(ENDLESS, 'pdf', 1, { dpi: 300 })).rejects.toMatchObject({
      code: 'unprocessable_entity',
      message: expect.stringContaining('too long'),
    });
    expect(await documents.inspect(PDF)).toMatchObject({ pages: 1 });
  });

  it('stops working when the caller gives up, and tells why', async () => {
    await using documents = new Documents(OPTIONS);
    expect(await documents.inspect(PDF)).toMatchObject({ pages: 1 });
    const controller = new AbortController();
    const drawing = documents.picture(ENDLESS, 'pdf', 1, { dpi: 300, signal: controller.signal });
    const waiting = documents.inspect(PDF, { signal: controller.signal });
    setImmediate(() => controller.abort(new Error('gone')));
    await expect(drawing).rejects.toThrow('gone');
    await expect(waiting).rejects.toThrow('gone');
    expect(await documents.inspect(PDF)).toMatchObject({ pages: 1 });
  });

  it('refuses what does not fit into the memory of a thread, and reads the next one', async () => {
    await using documents = new Documents({ ...OPTIONS, memoryMb: 32 });
    await expect(documents.picture(PDF, 'pdf', 1, { dpi: 400 })).rejects.toMatchObject({
      code: 'unprocessable_entity',
    });
    expect(await documents.text(PDF, [1])).toMatchObject([{ text: 'a page' }]);
  });

  it('refuses what multiplies without end, and reads the next one', async () => {
    await using documents = new Documents(OPTIONS);
    await expect(documents.picture(nestedGroups(), 'pdf', 1, { dpi: 72 })).rejects.toMatchObject({
      code: 'unprocessable_entity',
    });
    expect(await documents.text(PDF, [1])).toMatchObject([{ text: 'a page' }]);
  });

  it('keeps nothing of the memory in which a document broke', async () => {
    await using documents = new Documents(OPTIONS);
    const breaksOff = () => expect(documents.picture(nestedGroups(), 'pdf', 1, { dpi: 72 })).rejects.toThrow();
    expect(await documents.inspect(PDF)).toMatchObject({ pages: 1 });
    const before = process.memoryUsage.rss();
    await breaksOff();
    const kept = () => process.memoryUsage.rss() - before;
    await expect.poll(kept, { timeout: 10_000 }).toBeLessThan((OPTIONS.memoryMb * MB) / 2);
  });

  it('lets others go on beside an account whose documents break', async () => {
    await using documents = new Documents({ ...OPTIONS, threads: 2 });
    const ended: string[] = [];
    const breaks = async () => {
      await documents.picture(nestedGroups(), 'pdf', 1, { dpi: 72, party: 'a' }).catch(() => ended.push('a'));
    };
    await breaks();
    const breaking = [breaks(), breaks()];
    await documents.inspect(PDF, { party: 'b' }).then(() => ended.push('b'));
    await Promise.all(breaking);
    expect(ended).toEqual(['a', 'b', 'a', 'a']);
  });

  it('reads many documents at once', async () => {
    await using documents = new Documents({ ...OPTIONS, threads: 2 });
    const pdfs = Array.from({ length: 12 }, (_, index) => makePdf([{ text: `document ${index}` }]));
    const texts = await Promise.all(pdfs.map((pdf) => documents.text(pdf, [1])));
    expect(texts.map(([page]) => page?.text)).toEqual(pdfs.map((_, index) => `document ${index}`));
  });

  it('come after the thread that answers calls, which stays as it is', async (context) => {
    if (process.platform !== 'linux') return context.skip('only Linux has a priority for each thread');
    const before = getPriority();
    const others = threadPriorities(process.pid);
    await using documents = new Documents({ ...OPTIONS, threads: 2 });
    const pdfs = Array.from({ length: 12 }, () => documents.text(PDF, [1]));
    await Promise.all(pdfs);
    expect(threadPriorities(process.pid).filter((nice) => !others.includes(nice))).toEqual([Math.min(before + 10, 19)]);
    expect(getPriority()).toBe(before);
  });

  it('opens where there was no memory for it before', async () => {
    await using documents = new Documents(OPTIONS);
    using compile = vi.spyOn(webAssembly, 'compile').mockRejectedValueOnce(new RangeError('no memory'));
    await expect(documents.inspect(PDF)).rejects.toThrow('no memory');
    expect(await documents.inspect(PDF)).toMatchObject({ pages: 1 });
    expect(compile).toHaveBeenCalledTimes(2);
  });

  it('ends without ever having started a thread', async () => {
    const documents = new Documents(OPTIONS);
    await expect(documents[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });
});
