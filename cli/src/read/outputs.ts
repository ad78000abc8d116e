import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import type { FileFormat, OcrResult, OcrRouter } from '@ocr-router/client';
import { makeFolder } from '../paths/make-folder.ts';
import { wholePath } from '../paths/own-arguments.ts';
import { onDisk } from '../paths/path-bytes.ts';
import { sourceOf } from '../paths/source-of.ts';
import type { Text } from './text-of.ts';

interface Kind {
  readonly ending: string;
  /** Set for a file that the gateway makes, from a request that included this. The other kinds are made from the result. */
  readonly file?: { readonly format: FileFormat; readonly include: 'words' | 'tables' };
}

const KINDS = {
  txt: { ending: 'txt' },
  md: { ending: 'md' },
  json: { ending: 'ocr.json' },
  pdf: { ending: 'ocr.pdf', file: { format: 'pdf', include: 'words' } },
  hocr: { ending: 'hocr', file: { format: 'hocr', include: 'words' } },
  alto: { ending: 'alto.xml', file: { format: 'alto', include: 'words' } },
  csv: { ending: 'csv', file: { format: 'csv', include: 'tables' } },
} as const satisfies Readonly<Record<string, Kind>>;

export type Format = keyof typeof KINDS;
export const FORMATS = Object.keys(KINDS) as readonly Format[]; // its own keys

export type OutputPaths = Readonly<Partial<Record<Format, string>>>;

/** The `include` of a request from which these formats can be made. */
export function includeFor(formats: readonly Format[]): ('words' | 'tables')[] {
  const needed = formats.flatMap((format) => kindOf(format).file?.include ?? []);
  return [...new Set(needed)].toSorted();
}

/** The paths of a document's outputs: beside it, or below `out`, in the same folders as below the working directory. */
export function outputPaths(file: string, formats: readonly Format[], out: string | null): OutputPaths {
  const name = basename(file, extname(file));
  const inside = relative(wholePath('.'), wholePath(dirname(file)));
  const folder = out === null ? dirname(file) : join(out, inside.startsWith('..') ? '' : inside);
  return Object.fromEntries(formats.map((format) => [format, join(folder, `${name}.${kindOf(format).ending}`)]));
}

/** The first output that exists and is not ours; null where there is none. */
export function foreign(paths: OutputPaths, isOurs: (path: string) => boolean): string | null {
  return Object.values(paths).find((path) => existsSync(onDisk(path)) && !isOurs(path)) ?? null;
}

/** Whether all outputs exist and are ours. */
export function areThere(paths: OutputPaths, isOurs: (path: string) => boolean): boolean {
  return Object.values(paths).every((path) => existsSync(onDisk(path)) && isOurs(path));
}

/**
 * Makes the folders of the outputs where they are missing. Throws the file system's error for a folder in which nothing can be
 * written.
 */
export async function makeFolders(paths: OutputPaths): Promise<void> {
  for (const folder of new Set(Object.values(paths).map(dirname))) {
    await makeFolder(folder);
    await access(onDisk(folder), constants.W_OK | constants.X_OK);
  }
}

/** The owners of the outputs of a run: each path belongs to one document. */
export class OutputOwners {
  readonly #owners = new Map<string, string>();

  /**
   * Gives the paths to a document, and answers null. Where another document has one of them, it answers that document and gives
   * none.
   */
  take(file: string, paths: OutputPaths): string | null {
    const places = Object.values(paths).map(wholePath);
    const owner = places.map((place) => this.#owners.get(place)).find((other) => other !== undefined);
    if (owner !== undefined) return owner;
    for (const place of places) this.#owners.set(place, file);
    return null;
  }
}

/** A result with its text, and the document that it belongs to. */
interface Read {
  readonly file: string;
  readonly result: OcrResult;
  readonly text: Text;
  /** Is told of each output before it appears. */
  readonly onWriting: (path: string) => Promise<void>;
  /** Is told of an output that did not appear after all. */
  readonly onUnwritten: (path: string) => Promise<void>;
}

/** Writes the outputs of a run. */
export class Outputs {
  readonly #client: Pick<OcrRouter, 'output'>;
  #lastPdf: Promise<unknown> = Promise.resolve();

  constructor(client: Pick<OcrRouter, 'output'>) {
    this.#client = client;
  }

  /**
   * Writes the outputs of a document, those from the result first. Each appears as a whole, or not at all. Throws an `OcrError`
   * for a file that the gateway cannot make, and the file system's error for one that cannot be written.
   */
  async write(read: Read, paths: OutputPaths, signal: AbortSignal): Promise<void> {
    const entries = Object.entries(paths) as [Format, string][]; // its own keys
    const isMade = ([format]: [Format, string]) => Number(kindOf(format).file !== undefined);
    for (const [format, path] of entries.toSorted((a, b) => isMade(a) - isMade(b))) {
      const content = await this.#contentOf(read, format, signal);
      await put(path, content, read);
    }
  }

  async #contentOf({ file, result, text }: Read, format: Format, signal: AbortSignal): Promise<string | Buffer> {
    if (format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
    const made = kindOf(format).file;
    if (made?.format === 'pdf') return this.#pdfOf(result.request_id, file, signal);
    if (made) return this.#client.output(result.request_id, made.format, { signal });
    const shown = format === 'txt' ? text.plain : text.text;
    return shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`;
  }

  /** Makes a PDF after the ones before have been made, because the gateway makes those of an account one by one. */
  #pdfOf(requestId: string, document: string, signal: AbortSignal): Promise<Buffer> {
    const pdf = this.#lastPdf.then(() =>
      this.#client.output(requestId, 'pdf', { document: sourceOf(document), signal }),
    );
    this.#lastPdf = pdf.catch(() => undefined);
    return pdf;
  }
}

/** Writes a file under another name and renames it. That name is short: the output's may be as long as names may be. */
async function put(path: string, content: string | Buffer, { onWriting, onUnwritten }: Read): Promise<void> {
  const unfinished = onDisk(join(dirname(path), `.ocr-${randomUUID()}.tmp`));
  try {
    await writeFile(unfinished, content);
    await onWriting(path);
    await rename(unfinished, onDisk(path)).catch(async (error: unknown) => {
      await onUnwritten(path);
      throw error;
    });
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function kindOf(format: Format): Kind {
  return KINDS[format];
}
