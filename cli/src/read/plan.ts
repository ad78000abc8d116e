import { stat } from 'node:fs/promises';
import type { Estimate, OcrRouter, ReadOptions } from '@ocr-router/client';
import { isOfTheFileSystem } from './file-error.ts';
import { sideBySide } from './side-by-side.ts';

/** A document that is to be read, with what that may cost. */
export interface Planned {
  readonly file: string;
  readonly pages: number;
  /** Null where no such amount is known. */
  readonly worstUsd: number | null;
}

export interface Plan {
  readonly documents: readonly Planned[];
  /** What cannot be read at all, and why. */
  readonly refused: readonly { readonly file: string; readonly why: string }[];
}

/** Asks what reading each of the files would cost, all of their pages or the first `maxPages`. */
export async function makePlan(
  client: Pick<OcrRouter, 'estimate'>,
  files: readonly string[],
  { options, atOnce, maxPages }: { options: ReadOptions; atOnce: number; maxPages: number },
): Promise<Plan> {
  const planned = new Map<string, Planned>();
  const refused: { file: string; why: string }[] = [];
  await sideBySide(files, atOnce, async (file) => {
    try {
      const entry = await stat(file);
      if (entry.isFile() && entry.size === 0) refused.push({ file, why: 'is empty.' });
      else planned.set(file, toPlanned(file, await client.estimate(file, options), maxPages));
    } catch (error) {
      if (!isOfTheFile(error)) throw error;
      refused.push({ file, why: (error as Error).message });
    }
  });
  return { documents: files.flatMap((file) => planned.get(file) ?? []), refused };
}

/** Refuses what has more pages than the engine takes of a document. `command` is how its first pages are read. */
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

/** Of one request; null where the catalogue does not tell. */
async function mostPagesOf(client: Pick<OcrRouter, 'engines'>, engine: string): Promise<number | null> {
  return (await client.engines()).find(({ id }) => id === engine)?.max_pages_per_request ?? null;
}

/** Prices are by the page: those of one page are those of all, by their number. */
function toPlanned(file: string, estimate: Estimate, maxPages: number): Planned {
  const { pages_total, billed_pages, reserved_usd, worst_case_usd, token_priced } = estimate;
  const pages = Math.min(pages_total, maxPages);
  const worst = worst_case_usd ?? (token_priced ? null : reserved_usd);
  return { file, pages, worstUsd: worst === null ? null : Number(((worst / billed_pages) * pages).toFixed(9)) };
}

/** What is wrong with one document does not concern the others; a wrong key or engine does. */
function isOfTheFile(error: unknown): boolean {
  const { code, status } = error as { code?: unknown; status?: unknown };
  return code === 'unprocessable_entity' || status === 413 || isOfTheFileSystem(error);
}

/** A plan in a line: `312 files, 4,180 pages, at most 4.18 USD`. */
export function describePlan({ documents, refused }: Plan): string {
  const pages = documents.reduce((total, document) => total + document.pages, 0);
  const worst = worstOf(documents);
  const cost = worst === null ? 'at a cost that is not known before' : `at most ${usd(worst)} USD`;
  const left = refused.length > 0 ? `; ${refused.length} cannot be read` : '';
  return `${count(documents.length, 'file')}, ${count(pages, 'page')}, ${cost}${left}`;
}

export function worstOf(documents: readonly Planned[]): number | null {
  let total = 0;
  for (const { worstUsd } of documents) {
    if (worstUsd === null) return null;
    total += worstUsd;
  }
  return total;
}

/** To the nano-dollar, without the noise of sums of decimals. */
export function usd(amount: number): string {
  return String(Number(amount.toFixed(9)));
}

/** `1 page`, `4,180 pages` */
export function count(amount: number, word: string): string {
  return `${amount.toLocaleString('en')} ${word}${amount === 1 ? '' : 's'}`;
}
