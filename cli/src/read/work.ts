import { dirname, join } from 'node:path';
import type { OcrRouter, ReadOptions } from '@ocr-router/client';
import { wholePath } from '../paths/own-arguments.ts';
import { say } from '../say.ts';
import { findDocuments, isFolder } from './find-documents.ts';
import { Journal } from './journal.ts';
import { isFree, leftToRead } from './left-to-read.ts';
import { OutputOwners } from './outputs.ts';
import { makePlan, type Plan, type Planned, refuseTooLong } from './plan.ts';
import { type Options, pathsOf, wishOf } from './read-options.ts';

const JOURNAL = '.ocr-router.jsonl';

/** Opens the journal beside the outputs: in the folder for them, or in that of the first path. */
export async function openJournal(paths: readonly string[], { out }: Options): Promise<Journal> {
  const [first = '.'] = paths;
  return Journal.open(join(out ?? ((await isFolder(first)) ? first : dirname(first)), JOURNAL));
}

/** What is to be read of some paths. */
export interface Work extends Plan {
  readonly links: Awaited<ReturnType<typeof findDocuments>>['links'];
  /** Files whose outputs would be those of another. */
  readonly clashes: number;
  /** Documents that an earlier run has read as a whole. */
  readonly done: number;
  /** The files that an earlier run has read in part. */
  readonly inPart: readonly string[];
}

/** Finds what is to be read, and asks the gateway what it would cost. */
export async function findWork(
  client: OcrRouter,
  journal: Journal,
  paths: readonly string[],
  options: Options,
): Promise<Work> {
  const wish = wishOf(options);
  const { files, links, clashes } = await filesToRead(paths, journal, options);
  const found = await makePlan(client, files, {
    options: wish,
    atOnce: options.concurrency,
    maxPages: options.maxPages,
  });
  const { todo, done, inPart } = await notDone(found.documents, journal, wish, options);
  const command = (most: number) => `--max-pages ${most}`;
  const plan = await refuseTooLong(client, { ...found, documents: todo }, { engine: options.engine, command });
  return { ...plan, links, clashes, done, inPart };
}

/**
 * The files to read. A file whose outputs would replace ones that this program has not written is left out, and so is one whose
 * outputs another file of the run has.
 */
async function filesToRead(paths: readonly string[], journal: Journal, options: Options) {
  const found = await findDocuments(paths, options.recursive);
  const owners = new OutputOwners();
  const files: string[] = [];
  let clashes = 0;
  for (const file of found.files) {
    const outputs = pathsOf(file, options);
    const mayBeDone = options.resume && journal.hasRead(file);
    if (!options.force && !mayBeDone && !isFree(file, outputs, journal)) continue;
    const owner = owners.take(file, outputs);
    if (owner === null) files.push(file);
    else if (wholePath(owner) !== wholePath(file)) {
      say(`${file}: its outputs would be those of ${owner}; rename one, or read them apart.`);
      clashes += 1;
    }
  }
  return { files, links: found.links, clashes };
}

/** The documents that are left for this run. Existing outputs do not keep out a document that an earlier run has read. */
async function notDone(documents: readonly Planned[], journal: Journal, wish: ReadOptions, options: Options) {
  if (!options.resume) return { todo: documents, done: 0, inPart: [] };
  const { todo, ...before } = await leftToRead(documents, journal, wish);
  if (options.force) return { todo, ...before };
  return { todo: todo.filter(({ file }) => isFree(file, pathsOf(file, options), journal)), ...before };
}
