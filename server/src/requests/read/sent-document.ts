import { adapterOf } from '../../engines/adapters/registry.ts';
import type { Reading } from '../../engines/model/engine.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import type { PagesTask, Readers } from './page-task.ts';

/** The PDF that an engine is sent: the document, or a PDF of the requested pages alone. */
export interface SentDocument {
  readonly bytes: Buffer;
  /** The requested pages, as they are numbered in `bytes`. */
  readonly pages: readonly number[];
  readonly pagesTotal: number;
}

/** An engine that reads, and bills, every page that it is sent gets the requested pages alone, where they can be cut out. */
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

/** The reading with its pages numbered as in the document, instead of as in what was sent. */
export function numberedAsAsked(reading: Reading, sent: SentDocument, asked: readonly number[]): Reading {
  if (sent.pages === asked) return reading;
  const numbers = new Map(sent.pages.map((number, index) => [number, asked[index]]));
  const pages = reading.pages.flatMap((page) => {
    const number = numbers.get(page.number);
    return number === undefined ? [] : [{ ...page, number }];
  });
  return { ...reading, pages };
}
