import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { OcrResult } from '@ocr-router/client';

export const FORMATS = ['txt', 'md', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** Where the outputs of a document go: beside it, or below a folder as it lies below the working directory. */
export function outputPaths(file: string, formats: readonly Format[], out: string | null): Record<Format, string> {
  const ending = extname(file);
  const name = basename(file, ending);
  const inside = relative('.', dirname(file));
  const folder = out === null ? dirname(file) : join(out, inside.startsWith('..') ? '' : inside);
  const paths = formats.map((format) => [format, join(folder, `${name}.${format === 'json' ? 'ocr.json' : format}`)]);
  return Object.fromEntries(paths) as Record<Format, string>;
}

export function existing(paths: Readonly<Record<string, string>>): string | null {
  return Object.values(paths).find((path) => existsSync(path)) ?? null;
}

/** The documents of a run by their outputs, each of which is that of one document. */
export class OutputOwners {
  readonly #owners = new Map<string, string>();

  /** Gives the paths to a document, unless another one has any of them: then says which, and gives it none. */
  take(file: string, paths: Readonly<Record<string, string>>): string | null {
    const places = Object.values(paths).map((path) => resolve(path));
    const owner = places.map((place) => this.#owners.get(place)).find((other) => other !== undefined);
    if (owner !== undefined) return owner;
    for (const place of places) this.#owners.set(place, file);
    return null;
  }
}

/** Each file appears as a whole, or not at all. */
export async function writeOutputs(result: OcrResult, paths: Readonly<Partial<Record<Format, string>>>): Promise<void> {
  for (const [format, path] of Object.entries(paths)) {
    await mkdir(dirname(path), { recursive: true });
    const unfinished = `${path}.${process.pid}.tmp`;
    await writeFile(unfinished, contentOf(result, format as Format));
    await rename(unfinished, path);
  }
}

function contentOf(result: OcrResult, format: Format): string {
  if (format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  const text = result.extracted_text ?? '';
  const shown = format === 'txt' ? (result.extracted_text_plain ?? text) : text;
  return shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`;
}
