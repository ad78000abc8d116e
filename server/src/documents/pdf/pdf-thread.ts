import { move, Piscina, workerData } from 'piscina';
import { AppError } from '../../platform/errors.ts';
import { lowerThreadPriority } from '../../platform/low-priority.ts';
import { PdfSession } from './pdf-session.ts';
import type { PdfAnswer, PdfTask, PdfThreadData } from './pdf-task.ts';

/** What the pool started this thread with. */
const { pdfium, maxBytes } = workerData as PdfThreadData;

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
    // A trap leaves the instance in an undefined state; its memory goes with it.
    session = undefined;
    return { kind: 'broken', message: String(error) };
  } finally {
    if (session?.isSpent) session = undefined;
  }
}

/** Hands pixels over instead of copying them. */
function moved(answer: PdfAnswer): unknown {
  if (answer.kind !== 'done' || !('kind' in answer.value)) return answer;
  const bytes = answer.value.kind === 'taken' ? answer.value.file : answer.value.pixels;
  return move({ [Piscina.transferableSymbol]: [bytes.buffer], [Piscina.valueSymbol]: answer } as never);
}
