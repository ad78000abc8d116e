import type { OcrRouter } from '@ocr-router/client';
import { Budget } from './budget.ts';
import { Interruption } from './interruption.ts';
import type { Journal } from './journal.ts';
import { Outputs } from './outputs.ts';
import type { Planned } from './plan.ts';
import type { Progress } from './progress.ts';
import { type Outcome, type ReadBefore, type ReadJob, readDocument } from './read-document.ts';
import { type Options, pathsOf, wishOf } from './read-options.ts';
import { sideBySide } from './side-by-side.ts';

const CANCEL_MS = 15_000;

/** What a run has come to. */
export interface RunEnd {
  readonly outcomes: readonly Outcome[];
  /** Documents that turned out to be read before. */
  readonly before: readonly ReadBefore[];
  /** Documents that were not begun, as the run might have cost too much. */
  readonly overBudget: number;
  readonly isInterrupted: boolean;
  /** Why the run could not go on; null where it could. */
  readonly fault: Error | null;
}

/** Reads documents side by side, until all are read, the run cannot go on, or it is interrupted. */
export async function runThrough(
  client: OcrRouter,
  journal: Journal,
  documents: readonly Planned[],
  { options, progress }: { readonly options: Options; readonly progress: Progress },
): Promise<RunEnd> {
  using interruption = new Interruption(() => progress.say('Ends after what runs; once more ends that, too.'));
  const outcomes: Outcome[] = [];
  const before: ReadBefore[] = [];
  const budget = new Budget(options.maxCost ?? null);
  let overBudget = 0;
  const job: ReadJob = {
    client,
    journal,
    outputs: new Outputs(client),
    options: wishOf(options),
    isBounded: options.maxCost !== undefined,
    running: new Set(),
    signal: interruption.signal,
  };
  const readOne = async (document: Planned) => {
    if (!budget.take(document.worstUsd)) {
      overBudget += 1;
      return;
    }
    const end = await readDocument(job, document, pathsOf(document.file, options));
    budget.spent(document.worstUsd, 'before' in end ? 0 : end.costUsd);
    if ('before' in end) before.push(end);
    else outcomes.push(end);
    progress.tell(end);
  };
  const onFault = async (error: Error) => {
    if (!interruption.signal.aborted) return error;
    await cancelAll(client, job.running);
    return null;
  };
  const isOver = () => interruption.isAsked;
  const fault = await sideBySide(documents, options.concurrency, readOne, isOver).then(() => null, onFault);
  return { outcomes, before, overBudget, isInterrupted: interruption.isAsked, fault };
}

/** Cancels requests; what was read of them by then is charged. One that cannot be cancelled now ends by itself. */
async function cancelAll(client: OcrRouter, running: ReadonlySet<string>): Promise<void> {
  await Promise.allSettled([...running].map((id) => client.cancel(id, AbortSignal.timeout(CANCEL_MS))));
}
