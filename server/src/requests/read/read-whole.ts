import type { Documents } from '../../documents/documents.ts';
import type { PageSize } from '../../documents/formats/document.ts';
import type { PageReading } from '../../engines/model/engine.ts';
import { AppError } from '../../platform/errors.ts';
import { Slices } from '../../platform/turns/slices.ts';
import { callEngine, isTextless, uncalled } from './call-engine.ts';
import { locateInPdf, takeLayouts } from './locate-page.ts';
import type { OpenDocument } from './open-document.ts';
import type { PageResult } from './page-result.ts';
import type { PagesTask, Readers } from './page-task.ts';
import { numberedAsAsked, sentDocument } from './sent-document.ts';

/** Enough to see whether anything is on a page. */
const LOOK_DPI = 100;

/** Reads all pages in one call. Where the request is stopped before the call, its pages have timed out or are cancelled. */
export async function readWhole({ documents, engines, positions }: Readers, task: PagesTask): Promise<PageResult[]> {
  const { document, engine, pages, party, phases, signal, keepsLayout } = task;
  const { reading: answered, latencyMs } = await callWhole().catch((error: unknown) => {
    const stopped = uncalled(engine, signal.reason);
    if (!stopped) throw error;
    return { reading: stopped, latencyMs: 0 };
  });
  const { reading, layouts } = takeLayouts(answered);
  const readings = new Map(reading.pages.map((page) => [page.number, page]));
  await waitBeforeLocating();
  const sizes = keepsLayout
    ? await sizesOf(documents, { document, pages, readings, party })
    : new Map<number, PageSize>();
  const results: PageResult[] = [];
  const slices = new Slices();
  for (const number of pages) {
    const page = readings.get(number) ?? null;
    const blank = !page?.scanned && !page?.merged && isTextless(reading, page) && (await looksBlank(number));
    const size = sizes.get(number);
    const layout = layouts.get(number) ?? null;
    const located = size ? await locateInPdf(slices, layout, page, size) : null;
    results.push({ number, engine, latencyMs, reading, page, blank, warnings: [], ...located });
  }
  return results;

  /** Locating the words of a long document takes the service's thread: the account waits for its turn. */
  async function waitBeforeLocating() {
    const placed = reading.pages.filter(({ number }) => layouts.has(number));
    const characters = placed.reduce((sum, { text }) => sum + text.length, 0);
    if (keepsLayout && characters > 0) await positions.beforeLocating(party, characters, signal);
  }

  /** Draws a page without text to see whether it is blank. A page that cannot be drawn, or not in time, is not. */
  async function looksBlank(number: number): Promise<boolean> {
    try {
      const picture = await documents.picture(document.bytes, 'pdf', number, { dpi: LOOK_DPI, signal, party });
      return await documents.isBlank(picture, { signal, party });
    } catch (error) {
      if (error instanceof AppError || uncalled(engine, signal.reason)) return false;
      throw error;
    }
  }

  async function callWhole() {
    using _permit = await phases.clock.during('place', () => engines.permit(engine, signal, party));
    const sent = await sentDocument({ documents }, task);
    const { reading, latencyMs } = await callEngine(engines, task, { kind: 'document', format: 'pdf', ...sent, party });
    return { reading: numberedAsAsked(reading, sent, pages), latencyMs };
  }
}

/**
 * The sizes of pages: as the engine told them, else looked up. The call is paid for, so a size that cannot be found is left
 * out.
 */
async function sizesOf(
  documents: Documents,
  { document, pages, readings, party }: PagesRead,
): Promise<Map<number, PageSize>> {
  const sizes = new Map<number, PageSize>();
  for (const [number, { size }] of readings) if (size) sizes.set(number, size);
  const others = pages.filter((number) => !sizes.has(number));
  if (others.length === 0) return sizes;
  const found = await documents.pageSizes(document.bytes, others, { party }).catch(() => []);
  for (const [index, size] of found.entries()) if (size) sizes.set(others[index] ?? 0, size);
  return sizes;
}

interface PagesRead {
  readonly document: OpenDocument;
  readonly pages: readonly number[];
  readonly readings: ReadonlyMap<number, PageReading>;
  readonly party: string;
}
