import { adapterOf } from '../../engines/adapters/registry.ts';
import type { Reading } from '../../engines/model/engine.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import type { PagesTask, Readers } from './page-task.ts';

/** What an engine is sent of a PDF: all of it, or the pages asked for as a PDF of their own. */
export interface SentDocument {
  readonly bytes: Buffer;
  /** The pages asked for, as they are numbered in it. */
  readonly pages: readonly number[];
  readonly pagesTotal: number;
}

/** An engine that reads, and bills, all that it is sent gets the pages asked for alone, where they can be cut out. */
export async function sentDocument({ documents }: Pick<Readers, 'documents'>, task: PagesTask): Promise<SentDocument> {
  const { document, engine, pages, party, phases, signal } = task;
  const whole = { bytes: document.bytes, pages, pagesTotal: document.inspection.pages };
  if (pages.length >= whole.pagesTotal || !adapterOf(engine).readsAllPages) return whole;
  const bytes = await phases.clock.during('render', () =>
    inSpan('excerpt', { isLeaf: true }, async (annotate) => {
      const excerpt = await documents.excerpt(document.bytes, pages, { signal, party });
      annotate({ 'ocr.bytes': excerpt?.length ?? 0 });
      return excerpt;
    }),
  );
  return bytes ? { bytes, pages: pages.map((_, index) => index + 1), pagesTotal: pages.length } : whole;
}

/** A reading of what was sent, with the numbers that its pages have in the document. */
export function numberedAsAsked(reading: Reading, sent: SentDocument, asked: readonly number[]): Reading {
  if (sent.pages === asked) return reading;
  const numbers = new Map(sent.pages.map((number, index) => [number, asked[index]]));
  const pages = reading.pages.flatMap((page) => {
    const number = numbers.get(page.number);
    return number === undefined ? [] : [{ ...page, number }];
  });
  return { ...reading, pages };
}
