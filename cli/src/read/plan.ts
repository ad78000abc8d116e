import { stat } from 'node:fs/promises';
import type { Estimate, OcrRouter, ReadOptions } from '@ocr-router/client';
import { onDisk } from '../paths/path-bytes.ts';
import { sourceOf } from '../paths/source-of.ts';
import { isOfTheFileSystem } from './file-error.ts';
import { sideBySide } from './side-by-side.ts';

/** A document to be read, with its pages and their worst cost. */
export interface Planned {
  readonly file: string;
  readonly pages: number;
  /** The most that reading it can cost, in USD; null where that is unknown. */
  readonly worstUsd: number | null;
}

export interface Plan {
  readonly documents: readonly Planned[];
  /** Files that cannot be read, with the reason. */
  readonly refused: readonly { readonly file: string; readonly why: string }[];
}

/** Makes a plan: asks the gateway what reading each file would cost, all of its pages or the first `maxPages`. */
export async function makePlan(
  client: Pick<OcrRouter, 'estimate'>,
  files: readonly string[],
  { options, atOnce, maxPages }: { options: ReadOptions; atOnce: number; maxPages: number },
): Promise<Plan> {
  const planned = new Map<string, Planned>();
  const refused: { file: string; why: string }[] = [];
  await sideBySide(files, atOnce, async (file) => {
    try {
      const entry = await stat(onDisk(file));
      if (entry.isFile() && entry.size === 0) refused.push({ file, why: 'is empty.' });
      else planned.set(file, toPlanned(file, await client.estimate(sourceOf(file), options), maxPages));
    } catch (error) {
      if (!isOfTheFile(error)) throw error;
      refused.push({ file, why: (error as Error).message });
    }
  });
  return { documents: files.flatMap((file) => planned.get(file) ?? []), refused };
}

/**
 * Moves documents with more pages than the engine takes to the refused ones. `command` gives the command that reads their first
 * pages.
 */
export async function refuseTooLong(
  client: Pick<OcrRouter, 'engines'>,
  { documents, refused }: Plan,
  { engine, command }: { engine: string; command: (pages: number) => string },
): Promise<Plan> {
  const most = documents.some(({ pages }) => pages > 1) ? await mostPagesOf(client, engine) : null;
  if (most === null) return { documents, refused };
  const why = (pages: number) =>
    `has ${pages} pages, and engine "${engine}" takes ${most} of a document: ${command(most)} reads the first ones.`;
  const tooLong = documents.filter(({ pages }) => pages > most);
  return {
    documents: documents.filter(({ pages }) => pages <= most),
    refused: [...refused, ...tooLong.map(({ file, pages }) => ({ file, why: why(pages) }))],
  };
}

/** Most pages of a request to the engine; null where the catalogue does not tell. */
async function mostPagesOf(client: Pick<OcrRouter, 'engines'>, engine: string): Promise<number | null> {
  return (await client.engines()).find(({ id }) => id === engine)?.max_pages_per_request ?? null;
}

/**
 * The planned document. Prices are by the page, so the cost of `pages` pages follows from the estimate's cost of its billed ones.
 */
function toPlanned(file: string, estimate: Estimate, maxPages: number): Planned {
  const { pages_total, billed_pages, reserved_usd, worst_case_usd, token_priced } = estimate;
  const pages = Math.min(pages_total, maxPages);
  const worst = worst_case_usd ?? (token_priced ? null : reserved_usd);
  return { file, pages, worstUsd: worst === null ? null : Number(((worst / billed_pages) * pages).toFixed(9)) };
}

/** Whether an error concerns this document alone; a wrong key or engine concerns all. */
function isOfTheFile(error: unknown): boolean {
  const { code, status } = error as { code?: unknown; status?: unknown };
  return code === 'unprocessable_entity' || status === 413 || isOfTheFileSystem(error);
}

/** A plan in a line: `312 files, 4,180 pages, at most 4.18 USD`. */
export function describePlan({ documents, refused }: Plan): string {
  const worst = worstOf(documents);
  const cost = worst === null ? 'at a cost that is not known before' : `at most ${usd(worst)} USD`;
  const left = refused.length > 0 ? `; ${refused.length} cannot be read` : '';
  return `${count(documents.length, 'file')}, ${count(pagesOf(documents), 'page')}, ${cost}${left}`;
}

export function pagesOf(documents: readonly Planned[]): number {
  return documents.reduce((total, { pages }) => total + pages, 0);
}

export function worstOf(documents: readonly Planned[]): number | null {
  let total = 0;
  for (const { worstUsd } of documents) {
    if (worstUsd === null) return null;
    total += worstUsd;
  }
  return total;
}

/** An amount in USD as text, to the nano-dollar: without the noise of sums of decimals. */
export function usd(amount: number): string {
  return String(Number(amount.toFixed(9)));
}

/** A number with its noun: `1 page`, `4,180 pages`. */
export function count(amount: number, word: string): string {
  return `${amount.toLocaleString('en')} ${word}${amount === 1 ? '' : 's'}`;
}
