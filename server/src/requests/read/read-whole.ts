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

/** All pages in one call; when the request is stopped before the engine has a place, they have timed out or are cancelled. */
export async function readWhole({ documents, engines, positions }: Readers, task: PagesTask): Promise<PageResult[]> {
  const { document, engine, pages, party, phases, signal, keepsLayout } = task;
  const { reading: answered, latencyMs } = await callWhole().catch((error: unknown) => {
    const stopped = uncalled(engine, signal.reason);
    if (!stopped) throw error;
    return { reading: stopped, latencyMs: 0 };
  });
  const { reading, layouts } = takeLayouts(answered);
  const readings = new Map(reading.pages.map((page) => [page.number, page]));
  await waitsToPlace();
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

  /** What is placed of a long document takes the time of everybody. */
  async function waitsToPlace() {
    const placed = reading.pages.filter(({ number }) => layouts.has(number));
    const characters = placed.reduce((sum, { text }) => sum + text.length, 0);
    if (keepsLayout && characters > 0) await positions.beforePlacing(party, characters, signal);
  }

  /** Pages without text are few, and drawn only to be looked at. What cannot be drawn, or not in time, is not blank. */
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

/** What the engine has not told is looked up. The call is paid for: pages whose sizes cannot be told are without them. */
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
