import { move, Piscina } from 'piscina';
import { lowerThreadPriority } from '../../platform/low-priority.ts';
import { extendPdf, NotExtendableError } from './extend-pdf.ts';
import type { OutputAnswer, OutputTask } from './output-task.ts';
import { rebuildPdf } from './rebuild-pdf.ts';

lowerThreadPriority();
// The library warns of oddities in callers' files; they are not ours to log.
console.warn = () => undefined;

/** The entry of an output thread: one task at a time, and always an answer. */
export default async function run(task: OutputTask): Promise<unknown> {
  const answer = await perform(task);
  if (answer.kind !== 'done') return answer;
  // The bytes are handed over instead of copied.
  return move({ [Piscina.transferableSymbol]: [answer.bytes.buffer], [Piscina.valueSymbol]: answer } as never);
}

async function perform(task: OutputTask): Promise<OutputAnswer> {
  try {
    const { bytes, pages } =
      task.kind === 'extend' ? await extendPdf(task.bytes, task.pages, task) : await rebuildPdf(task.pages);
    // A task's own bytes may be shared with other threads, so they are copied instead of transferred.
    const own = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
    return { kind: 'done', bytes: own ? (bytes as Uint8Array<ArrayBuffer>) : Uint8Array.from(bytes), pages };
  } catch (error) {
    if (!(error instanceof NotExtendableError)) return { kind: 'broken', message: String(error) };
    return { kind: 'unfit', message: error.cause ? `${error.message}: ${error.cause}` : error.message };
  }
}
