import { getHeapStatistics } from 'node:v8';
import { move, Piscina, workerData } from 'piscina';
import { AppError } from '../../platform/errors.ts';
import { lowerThreadPriority } from '../../platform/low-priority.ts';
import { collect } from '../../platform/memory/collect.ts';
import { PdfSession } from './pdf-session.ts';
import { BROKEN, type PdfAnswer, type PdfTask, type PdfThreadData } from './pdf-task.ts';

/** The data that the pool started this thread with. */
const { pdfium, maxBytes } = workerData as PdfThreadData;

/** Bytes of a thread's heap from which on it collects garbage after a task, since small tasks would keep it for hours. */
const MUCH_BYTES = 64 * 1024 * 1024;

lowerThreadPriority();

let session: PdfSession | undefined;

/** The entry of a PDF thread: one task at a time, and always an answer. */
export default async function run(task: PdfTask): Promise<unknown> {
  return moved(await answer(task));
}

async function answer(task: PdfTask): Promise<PdfAnswer> {
  try {
    session ??= await PdfSession.start(pdfium, maxBytes);
    return { kind: 'done', value: session.perform(task) };
  } catch (error) {
    if (error instanceof AppError) return { kind: 'refused', message: error.message };
    return broken(error);
  } finally {
    const isSpent = session?.isSpent === true;
    if (isSpent) session = undefined;
    if (isSpent || getHeapStatistics().total_heap_size > MUCH_BYTES) collect('garbage');
  }
}

/**
 * Ends the thread, which fails its task in the pool: a trap leaves the instance in an undefined state, and its grown memory,
 * hundreds of megabytes, would stay as long as the thread.
 */
function broken(error: unknown): Promise<never> {
  return new Promise(() => {
    setImmediate(() => {
      throw Object.assign(new Error(String(error)), { name: BROKEN });
    });
  });
}

/** Hands pixels and files over instead of copying them. */
function moved(answer: PdfAnswer): unknown {
  if (answer.kind !== 'done' || !('kind' in answer.value)) return answer;
  const bytes = answer.value.kind === 'drawn' ? answer.value.pixels : answer.value.file;
  if (!bytes) return answer;
  return move({ [Piscina.transferableSymbol]: [bytes.buffer], [Piscina.valueSymbol]: answer } as never);
}
