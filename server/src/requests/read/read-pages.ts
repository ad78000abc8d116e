import type { Documents } from '../../documents/documents.ts';
import type { Inspection, PagePicture, PageSize, PreprocessingStep } from '../../documents/formats/document.ts';
import { cancelled, type EngineRunner, leftAlone, timedOut } from '../../engines/engine-runner.ts';
import type { Ending, Engine, EngineInput, EngineSettings, PageReading, Reading } from '../../engines/model/engine.ts';
import { unread } from '../../engines/model/reading.ts';
import { CancelledError, TimeLimitError } from '../../engines/model/stop-reasons.ts';
import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import { Slices } from '../../platform/turns/slices.ts';
import type { StoredLayout } from '../layout/stored-layout.ts';
import type { PositionTurns } from '../places/position-turns.ts';
import { type Phases, timed } from '../times/phases.ts';
import type { CostCap } from './cost-cap.ts';
import { locateInPdf, locateOnPicture, takeLayouts } from './locate-page.ts';

/** Less is no look at all. */
const LEAST_LOOK_MS = 5000;

/** Enough to see whether anything is on a page. */
const LOOK_DPI = 100;

/** A document whose bytes are here and were found readable. */
export interface OpenDocument {
  readonly bytes: Buffer;
  readonly inspection: Inspection;
}

/** What became of one page on one engine. */
export interface PageResult {
  readonly number: number;
  readonly engine: Engine;
  readonly latencyMs: number;
  /** The call's answer; a call that read several pages answers for each of them. */
  readonly reading: Reading;
  readonly page: PageReading | null;
  /** A page without a mark on it: that no text came back is right. */
  readonly blank: boolean;
  readonly warnings: readonly string[];
  /** What was done to the picture so that it reads better; absent where nothing was. */
  readonly steps?: readonly PreprocessingStep[];
  /** Where its text stands on the page as it is shown, where the request asks for pages. */
  readonly layout?: StoredLayout;
  /** The engine told where its text stands, and it cannot be true. */
  readonly misfit?: true;
}

/** Pages that are finished, and where others are written down when they are. */
export interface PageJournal {
  readonly finished: ReadonlyMap<number, PageResult>;
  record(result: PageResult): Promise<void>;
}

export interface Readers {
  readonly documents: Documents;
  readonly engines: EngineRunner;
  readonly positions: Pick<PositionTurns, 'beforePlacing'>;
}

/**
 * Reads pages of a document with one engine: one call a page, side by side, within the engine's concurrency; one call
 * for all pages where the engine takes whole documents. A page that ends badly, or cannot be drawn, is a value and not an
 * exception. An exception (the signal's reason, a journal that cannot be written) ends the calls for all other pages.
 */
export async function readPages(
  readers: Readers,
  job: {
    document: OpenDocument;
    engine: Engine;
    pages: readonly number[];
    settings: EngineSettings;
    /** Whether the request asks for its pages: what is known of each is kept. */
    keepsLayout: boolean;
    /** Whose pages they are: accounts take turns at an engine. */
    party: string;
    /** Nobody waits: calls wait for an engine that is left alone for a while. */
    patient: boolean;
    /** Where the caller has set a limit of cost. */
    cap?: CostCap | null;
    journal?: PageJournal | null;
    /** Called with every page that is finished, whatever becomes of the others. */
    onPage(result: PageResult): void;
    phases: Phases;
    signal: AbortSignal;
  },
): Promise<PageResult[]> {
  const { document, engine, pages, journal, onPage } = job;
  if (document.inspection.format === 'pdf' && engine.nativePdf) {
    const results = await readWhole(readers, job);
    // Scanned pages are handed on to another engine, and not sold. One call has one price by tokens.
    const sold = results.filter(({ page }) => !page?.scanned);
    for (const { reading } of engine.tokenPrices ? sold.slice(0, 1) : sold) job.cap?.spent(engine, reading);
    results.forEach(onPage);
    return results;
  }
  for (const { engine: reader, reading } of journal?.finished.values() ?? []) job.cap?.spent(reader, reading);
  const settings = { ...job.settings, lookMs: lookMsFor(job) };
  const ended = new AbortController();
  const signal = pages.length === 1 ? job.signal : AbortSignal.any([job.signal, ended.signal]);
  const calls = pages.map(
    async (number) =>
      journal?.finished.get(number) ??
      inSpan('page', { attributes: { 'ocr.page': number } }, () =>
        readPage(readers, { ...job, settings, number, signal }),
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
function lookMsFor({ engine, pages, patient }: { engine: Engine; pages: readonly number[]; patient: boolean }) {
  const rounds = patient ? 1 : Math.ceil(pages.length / engine.concurrency);
  return Math.max(LEAST_LOOK_MS, Math.round(engine.timeoutMs / 4 / rounds));
}

/** All pages in one call; when the request is stopped before the engine has a place, they have timed out or are cancelled. */
async function readWhole(
  { documents, engines, positions }: Readers,
  job: Omit<PageJob, 'number'> & { pages: readonly number[] },
): Promise<PageResult[]> {
  const { document, engine, pages, party, phases, signal, keepsLayout } = job;
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
    const pagesTotal = document.inspection.pages;
    const input = { kind: 'document', bytes: document.bytes, format: 'pdf', pages, pagesTotal, party } as const;
    return await read(engines, job, input);
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

type PageJob = {
  document: OpenDocument;
  engine: Engine;
  number: number;
  settings: EngineSettings;
  keepsLayout: boolean;
  party: string;
  patient: boolean;
  cap?: CostCap | null;
  phases: Phases;
  signal: AbortSignal;
};

/**
 * One page. One that the request's time limit or its cancellation kept from being read ends by that; one that no one can
 * draw is unreadable.
 */
async function readPage(readers: Readers, job: PageJob): Promise<PageResult> {
  try {
    return await callWithinCap(readers, job);
  } catch (error) {
    const reading = withoutCall(job, error);
    if (!reading) throw error;
    return { number: job.number, engine: job.engine, latencyMs: 0, reading, page: null, blank: false, warnings: [] };
  }
}

function withoutCall({ engine, signal }: PageJob, error: unknown): Reading | null {
  const stopped = uncalled(engine, signal.reason);
  if (stopped) return stopped;
  if (!(error instanceof AppError && error.code === 'unprocessable_entity')) return null;
  return unread({ ending: { kind: 'unreadable', message: error.message, called: false }, billed: 'no' });
}

/** The reading of a call that was not made because the request was stopped; null where that makes no reading of it. */
function uncalled(engine: Engine, reason: unknown): Reading | null {
  if (reason instanceof TimeLimitError) return timedOut(engine, { called: false });
  return reason instanceof CancelledError ? cancelled(engine, { called: false }) : null;
}

/** A page that might cost more than is left is not begun. */
async function callWithinCap(readers: Readers, job: PageJob): Promise<PageResult> {
  const { cap, engine, number, signal } = job;
  if (!cap) return callEngine(readers, job);
  if (!(await cap.begin(engine, signal))) {
    return { number, engine, latencyMs: 0, reading: cap.refusal(), page: null, blank: false, warnings: [] };
  }
  let reading: Reading | null = null;
  try {
    const result = await callEngine(readers, job);
    reading = result.reading;
    return result;
  } finally {
    cap.ended(engine, reading);
  }
}

async function callEngine({ documents, engines }: Readers, job: PageJob): Promise<PageResult> {
  const { document, engine, number, settings, keepsLayout, party, phases, signal } = job;
  // The permit comes first: pictures of pages that wait for the engine would fill the memory.
  using _permit = await phases.clock.during('place', () => engines.permit(engine, signal, party));
  const wish = {
    dpi: settings.dpi,
    signal,
    party,
    decoded: engines.wantsDecoded(engine),
    asFile: engines.wantsFile(engine),
    preprocess: settings.preprocess,
  };
  const picture = await timed(
    () =>
      phases.clock.during('render', () =>
        inSpan('picture', { isLeaf: true }, () =>
          documents.picture(document.bytes, document.inspection.format, number, wish),
        ),
      ),
    (ms) => {
      phases.renderMs += ms;
    },
  );
  try {
    const input = { kind: 'picture', page: number, picture, party, document } as const;
    const { reading: answered, latencyMs } = await read(engines, job, input);
    const { reading, layouts } = takeLayouts(answered);
    const page = reading.pages[0] ?? null;
    // The call is paid for: a picture that cannot be looked at is not blank, and no reason to throw its answer away.
    const blank = isTextless(reading, page) && (await documents.isBlank(picture, { signal, party }).catch(() => false));
    const warnings = pageWarnings(number, picture, document);
    const steps = [...(picture.steps ?? []), ...(page?.steps ?? [])];
    const layout = layouts.get(number) ?? null;
    const located = keepsLayout ? await locateOnPicture(new Slices(), layout, page, picture) : null;
    const more = { ...(steps.length > 0 && { steps }), ...located };
    return { number, engine, latencyMs, reading, page, blank, warnings, ...more };
  } finally {
    await picture.file?.close();
  }
}

async function read(
  engines: EngineRunner,
  { engine, settings, patient, phases, signal }: Pick<PageJob, 'engine' | 'settings' | 'patient' | 'phases' | 'signal'>,
  input: EngineInput,
): ReturnType<EngineRunner['read']> {
  const { clock } = phases;
  const enters = await clock.during('place', () => engines.enter(engine, { patient, signal }));
  if (!enters) return { reading: leftAlone(engine), latencyMs: 0 };
  faultPoint('before-engine-call');
  const answer = await clock.during('engine', () =>
    inSpan('engine', { kind: 'client', attributes: { 'ocr.engine': engine.id } }, async (annotate) => {
      const read = await engines.read(engine, input, settings, signal);
      annotate({ 'ocr.ending': read.reading.ending.kind });
      return read;
    }),
  );
  faultPoint('after-engine-answer');
  const { reading } = answer;
  if (!isBadRequest(reading.ending) || Object.keys(settings.native).length === 0) return answer;
  // What the caller's own fields may have caused is not held against the engine.
  return { ...answer, reading: { ...reading, ending: { ...reading.ending, byCaller: true } } };
}

function isBadRequest(ending: Ending): ending is Ending & { kind: 'failed' } {
  return ending.kind === 'failed' && (ending.httpStatus === 400 || ending.httpStatus === 422);
}

function isTextless(reading: Reading, page: PageReading | null): boolean {
  const kind = reading.ending.kind;
  return kind === 'empty' || (kind === 'ok' && (page?.text ?? '').trim() === '');
}

function pageWarnings(number: number, picture: PagePicture, document: OpenDocument): string[] {
  const named = document.inspection.pages > 1;
  return picture.warnings.map((warning) => (named ? `Page ${number}: ${warning}` : warning));
}
