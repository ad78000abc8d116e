import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../platform/errors.ts';
import type { DocumentClient } from '../limits/document-client.ts';
import type { DocumentReader } from './document-reader.ts';
import type { OutputPage } from './output-page.ts';

export interface Check {
  readonly before: Buffer;
  readonly after: Buffer;
  /** The pages that got a layer. */
  readonly pages: readonly OutputPage[];
}

/**
 * Least share of a page's words that must be found: the reader may join the rest with the page's own text, or write it in another
 * way.
 */
const FOUND = 0.8;
const LOOK_DPI = 50;
/** Most words of a page that are looked for. */
const MOST_SOUGHT = 200;
/** Most pages that are drawn twice, and the time for that. */
const MOST_LOOKS = 8;
const LOOKING_MS = 10_000;

/** Whether the text layer of every page can be read back. */
export async function isSameText(
  documents: DocumentReader,
  { after, pages }: Check,
  client: DocumentClient,
): Promise<boolean> {
  const numbers = pages.map(({ page }) => page);
  const texts = await documents.text(after, numbers, client).catch(refused);
  if (!texts) return false;
  for (const [index, { lines }] of pages.entries()) {
    await setImmediate(); // a thousand pages are not looked through in one turn of the loop
    const found = squeezed(texts[index]?.text ?? '');
    const sought = someOf(lines.flatMap(({ text }) => text.split(/\s+/)).filter((word) => word !== ''));
    if (sought.filter((word) => found.includes(squeezed(word))).length < FOUND * sought.length) return false;
  }
  return true;
}

function someOf(words: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.ceil(words.length / MOST_SOUGHT));
  return words.filter((_, index) => index % step === 0);
}

/** Whether some of the pages, among them the first and the last, are drawn as before, pixel for pixel. */
export async function looksTheSame(
  documents: DocumentReader,
  { before, after, pages }: Check,
  client: DocumentClient,
): Promise<boolean> {
  const endsAt = performance.now() + LOOKING_MS;
  const draw = (bytes: Buffer, page: number) =>
    documents.picture(bytes, 'pdf', page, { ...client, dpi: LOOK_DPI, decoded: true }).catch(refused);
  for (const page of sampled(pages.map((each) => each.page))) {
    const was = await draw(before, page);
    // A page that cannot be drawn at all looks as bad as it did.
    if (!was) continue;
    const is = await draw(after, page);
    if (!is?.bytes.equals(was.bytes)) return false;
    if (performance.now() > endsAt) break;
  }
  return true;
}

function sampled(pages: readonly number[]): number[] {
  const count = Math.min(MOST_LOOKS, pages.length);
  const places = Array.from({ length: count }, (_, index) => {
    return count === 1 ? 0 : Math.round((index * (pages.length - 1)) / (count - 1));
  });
  return places.map((place) => pages[place] ?? 0);
}

function squeezed(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{Cc}\p{Cf}]+/gu, '');
}

function refused(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
  return undefined;
}
