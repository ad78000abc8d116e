import type { PagePicture } from '../../documents/formats/document.ts';
import type { Reading } from '../../engines/model/engine.ts';
import { unread } from '../../engines/model/reading.ts';
import { AppError } from '../../platform/errors.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import { Slices } from '../../platform/turns/slices.ts';
import { timed } from '../times/phases.ts';
import { callEngine, isTextless, uncalled } from './call-engine.ts';
import { locateOnPicture, takeLayouts } from './locate-page.ts';
import type { OpenDocument } from './open-document.ts';
import type { PageResult } from './page-result.ts';
import type { PageTask, Readers } from './page-task.ts';

/**
 * One page. One that the request's time limit or its cancellation kept from being read ends by that; one that no one can
 * draw is unreadable.
 */
export async function readPage(readers: Readers, task: PageTask): Promise<PageResult> {
  try {
    return await callWithinCap(readers, task);
  } catch (error) {
    const reading = withoutCall(task, error);
    if (!reading) throw error;
    return { number: task.number, engine: task.engine, latencyMs: 0, reading, page: null, blank: false, warnings: [] };
  }
}

function withoutCall({ engine, signal }: PageTask, error: unknown): Reading | null {
  const stopped = uncalled(engine, signal.reason);
  if (stopped) return stopped;
  if (!(error instanceof AppError && error.code === 'unprocessable_entity')) return null;
  return unread({ ending: { kind: 'unreadable', message: error.message, called: false }, billed: 'no' });
}

/** A page that might cost more than is left is not begun. */
async function callWithinCap(readers: Readers, task: PageTask): Promise<PageResult> {
  const { cap, engine, number, signal } = task;
  if (!cap) return readPicture(readers, task);
  if (!(await cap.begin(engine, signal))) {
    return { number, engine, latencyMs: 0, reading: cap.refusal(), page: null, blank: false, warnings: [] };
  }
  let reading: Reading | null = null;
  try {
    const result = await readPicture(readers, task);
    reading = result.reading;
    return result;
  } finally {
    cap.ended(engine, reading);
  }
}

async function readPicture({ documents, engines }: Readers, task: PageTask): Promise<PageResult> {
  const { document, engine, number, settings, keepsLayout, party, phases, signal } = task;
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
    const { reading: answered, latencyMs } = await callEngine(engines, task, input);
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

function pageWarnings(number: number, picture: PagePicture, document: OpenDocument): string[] {
  const named = document.inspection.pages > 1;
  return picture.warnings.map((warning) => (named ? `Page ${number}: ${warning}` : warning));
}
