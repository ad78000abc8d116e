import type { ReadOptions } from '@ocr-router/client';
import { say } from '../say.ts';
import type { Journal } from './journal.ts';
import { foreign, type OutputPaths } from './outputs.ts';
import type { Planned } from './plan.ts';
import { keyOf } from './read-document.ts';

/** Whether writing the outputs of the file loses nothing that is not ours. Says on stderr what would be lost. */
export function isFree(file: string, outputs: OutputPaths, journal: Journal): boolean {
  const there = foreign(outputs, (path) => journal.hasWritten(file, path));
  if (there !== null) say(`${file}: ${there} is there already; --force writes over it.`);
  return there === null;
}

/**
 * Sorts documents for a run that goes on with earlier ones: those that are left, the number that were read as a whole, and the
 * files that were read in part.
 */
export async function leftToRead(documents: readonly Planned[], journal: Journal, wish: ReadOptions) {
  const todo: Planned[] = [];
  const inPart: string[] = [];
  for (const document of documents) {
    const key = await keyOf(document.file, wish, document.pages).catch(() => null); // its turn tells why
    const before = key === null ? null : journal.doneBefore(document.file, key);
    if (before === null) todo.push(document);
    if (before === 'partial') inPart.push(document.file);
  }
  return { todo, done: documents.length - todo.length - inPart.length, inPart };
}
