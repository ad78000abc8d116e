import { count, plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import type { Estimate } from './estimate-document.ts';

interface Note {
  readonly words: string;
  /** It stands in the way of sending, or costs money for nothing. */
  readonly isMistake: boolean;
}

/** `1 of 5 pages`; `5 pages` where all are read. */
export function pagesText({ pages, pages_total: total }: Estimate): string {
  return pages < total ? `${count(pages)} of ${plural(total, 'page')}` : plural(pages, 'page');
}

/** How many pages more of the document could be asked for; null where all are read, or some were chosen. */
export function allPagesOf(
  { pages, pages_total: total }: Estimate,
  { mostPages, isRange }: { readonly mostPages: number; readonly isRange: boolean },
): number | null {
  const all = Math.min(total, mostPages);
  return !isRange && pages < all ? all : null;
}

/** What is worth knowing of a cost before it is paid. */
export function estimateNotes(estimate: Estimate): readonly Note[] {
  const { pages, billed_pages: billed, token_priced, reserved_usd: reserved, worst_case_usd: worst } = estimate;
  const { covered, balance_usd: balance, obstacle, scanned_pages: scanned, text_layer_pages: texts } = estimate;
  const notes: (Note | null)[] = [
    billed > pages ? mistake(`${plural(billed, 'page')} are billed: as many as were asked for.`) : null,
    token_priced ? note('This much is reserved; the charge depends on the tokens used.') : null,
    worst != null && worst > reserved ? note(`No outcome costs more than ${money(worst)}.`) : null,
    scanned != null && texts != null && scanned > 0 ? note(textLayerWords(scanned, texts)) : null,
    covered ? null : mistake(notCovered(balance, reserved)),
    obstacle == null ? null : mistake(`It takes no requests now: ${obstacle.message}`),
  ];
  return notes.filter((each) => each !== null);
}

function textLayerWords(scanned: number, texts: number): string {
  const pictures = `${plural(scanned, 'page')} of it ${scanned === 1 ? 'is a picture' : 'are pictures'} of text`;
  return `${pictures}, ${count(texts)} ${texts === 1 ? 'has' : 'have'} text of ${texts === 1 ? 'its' : 'their'} own.`;
}

/** Why a cost is not covered, and what helps. */
export function notCovered(balance: number, reserved: number): string {
  if (balance < reserved)
    return `Your balance of ${money(balance)} does not cover it: whoever runs this gateway can add to it.`;
  return 'Engines that are priced by tokens take no requests while your account owes something.';
}

function note(words: string): Note {
  return { words, isMistake: false };
}

function mistake(words: string): Note {
  return { words, isMistake: true };
}
