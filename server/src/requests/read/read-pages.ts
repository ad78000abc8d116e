import { inSpan } from '../../platform/tracing/spans.ts';
import type { PageJournal, PageResult } from './page-result.ts';
import type { PagesTask, Readers } from './page-task.ts';
import { readPage } from './read-page.ts';
import { readWhole } from './read-whole.ts';

/** Less is no look at all. */
const LEAST_LOOK_MS = 5000;

/**
 * Reads pages of a document with one engine: one call a page, side by side, within the engine's concurrency; one call
 * for all pages where the engine takes whole documents. A page that ends badly, or cannot be drawn, is a value and not an
 * exception. An exception (the signal's reason, a journal that cannot be written) ends the calls for all other pages.
 */
export async function readPages(
  readers: Readers,
  task: PagesTask & {
    readonly journal?: PageJournal | null;
    /** Called with every page that is finished, whatever becomes of the others. */
    onPage(result: PageResult): void;
  },
): Promise<PageResult[]> {
  const { document, engine, pages, journal, onPage } = task;
  if (document.inspection.format === 'pdf' && engine.nativePdf) {
    const results = await readWhole(readers, task);
    // Scanned pages are handed on to another engine, and not sold. One call has one price by tokens.
    const sold = results.filter(({ page }) => !page?.scanned);
    for (const { reading } of engine.tokenPrices ? sold.slice(0, 1) : sold) task.cap?.spent(engine, reading);
    results.forEach(onPage);
    return results;
  }
  for (const { engine: reader, reading } of journal?.finished.values() ?? []) task.cap?.spent(reader, reading);
  const settings = { ...task.settings, lookMs: lookMsFor(task) };
  const ended = new AbortController();
  const signal = pages.length === 1 ? task.signal : AbortSignal.any([task.signal, ended.signal]);
  const calls = pages.map(
    async (number) =>
      journal?.finished.get(number) ??
      inSpan('page', { attributes: { 'ocr.page': number } }, () =>
        readPage(readers, { ...task, settings, number, signal }),
      ),
  );
  try {
    return await Promise.all(
      calls.map(async (call) => {
        const result = await call;
        onPage(result);
        // A page that a cancellation kept from being read has not ended: a next run ends the request without it.
        const isOver = result.reading.ending.kind !== 'cancelled';
        if (isOver && !journal?.finished.has(result.number)) await journal?.record(result);
        return result;
      }),
    );
  } catch (error) {
    ended.abort(error);
    await Promise.allSettled(calls);
    throw error;
  }
}

/**
 * How long an engine may look again at a page that it read badly: where somebody waits, so long that all pages together
 * take a quarter of the time of one call.
 */
function lookMsFor({ engine, pages, patient }: PagesTask) {
  const rounds = patient ? 1 : Math.ceil(pages.length / engine.concurrency);
  return Math.max(LEAST_LOOK_MS, Math.round(engine.timeoutMs / 4 / rounds));
}
