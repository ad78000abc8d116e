import { getPriority } from 'node:os';
import { describe, expect, it } from 'vitest';
import { makePdf } from '../../../../test/house/pdf.ts';
import { threadPriorities } from '../../../../test/house/thread-priorities.ts';
import { Documents, type DocumentsOptions } from '../documents.ts';

const OPTIONS: DocumentsOptions = {
  threads: 1,
  maxPixels: 40e6,
  maxSentPixels: 40e6,
  maxPages: 50,
  pdfTimeoutMs: 60_000,
  memoryMb: 256,
};

const PDF = makePdf([{ text: 'a page' }]);

describe('PDF threads', () => {
  it('gives up a document that takes too long, and reads the next one', async () => {
    await using documents = new Documents({ ...OPTIONS, pdfTimeoutMs: 3_000 });
    await expect(documents.picture(endless(), 'pdf', 1, { dpi: 300 })).rejects.toMatchObject({
      code: 'unprocessable_entity',
      message: expect.stringContaining('too long'),
    });
    expect(await documents.inspect(PDF)).toMatchObject({ pages: 1 });
  });

  it('stops working when the caller gives up, and tells why', async () => {
    await using documents = new Documents(OPTIONS);
    expect(await documents.inspect(PDF)).toMatchObject({ pages: 1 });
    const controller = new AbortController();
    const drawing = documents.picture(endless(), 'pdf', 1, { dpi: 300, signal: controller.signal });
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
    await expect(documents.picture(nested(), 'pdf', 1, { dpi: 72 })).rejects.toMatchObject({
      code: 'unprocessable_entity',
    });
    expect(await documents.text(PDF, [1])).toMatchObject([{ text: 'a page' }]);
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

  it('ends without ever having started a thread', async () => {
    const documents = new Documents(OPTIONS);
    await expect(documents[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });
});

/** A small file that takes minutes to draw: the whole page is painted again and again. */
function endless(): Buffer {
  return makePdf([{ content: '0 0 595 842 re f\n'.repeat(50_000) }]);
}

/** Groups that draw the one below ten times each, ten deep. */
function nested(): Buffer {
  const page = makePdf([{ content: '/Level9 Do' }]).toString('latin1');
  const groups = Array.from({ length: 10 }, (_, level) => {
    const body = level === 0 ? '0 0 500 800 re f\n' : `/Level${level - 1} Do\n`.repeat(10);
    const inner = level === 0 ? '' : `/XObject << /Level${level - 1} ${99 + level} 0 R >>`;
    return `${100 + level} 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${inner} >> /Length ${body.length} >>\nstream\n${body}endstream\nendobj\n`;
  });
  // Without its cross-reference table the file is searched for its objects.
  const linked = page.replace('/Font <<', '/XObject << /Level9 109 0 R >> /Font <<');
  const [objects = '', trailer = ''] = linked.split(/xref\n[\s\S]*?trailer\n/);
  return Buffer.from(
    `${objects}${groups.join('')}trailer\n${trailer.replace(/startxref\n\d+/, 'startxref\n0')}`,
    'latin1',
  );
}
