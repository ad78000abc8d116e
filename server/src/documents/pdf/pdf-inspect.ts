import { unreadable } from '../formats/unreadable.ts';
import type { Pdfium } from './library/pdfium.ts';
import type { PdfDocument } from './pdf-document.ts';
import { readTextPage } from './pdf-text.ts';

export interface PdfFacts {
  readonly pages: number;
  readonly warnings: readonly string[];
  readonly needsRepair?: true;
}

/** Words on the page that is shown in place of a form by readers that cannot lay it out themselves. */
const STAND_IN = /please wait|adobe (reader|acrobat)|pdf viewer/i;

/** Judges an open PDF. Throws `unprocessable_entity` where there is nothing in it to read. */
export function inspectPdf(
  pdfium: Pdfium,
  document: PdfDocument,
  options: { maxPages: number; needsRendering: boolean },
): PdfFacts {
  const claimed = document.claimedPages;
  if (claimed <= 0) throw unreadable('The PDF has no pages.');
  if (claimed > options.maxPages && document.has(options.maxPages + 1)) {
    throw unreadable(`The PDF has ${claimed} pages, the limit is ${options.maxPages}.`);
  }
  const pages = document.has(claimed) ? claimed : countPages(document, Math.min(claimed, options.maxPages));
  if (pages === 0) throw unreadable('The PDF is corrupt: it has no page that can be read.');
  const warnings = [];
  if (document.needsRepair || pages < claimed) warnings.push('The PDF is damaged: what could be repaired was read.');
  if (document.isDynamicXfa || options.needsRendering) {
    if (isStandIn(pdfium, document, pages)) {
      throw unreadable('The PDF is a dynamic XFA form without pages of its own. Print it to a PDF and send that.');
    }
    warnings.push('The PDF is an XFA form: only its fixed pages were read, not what a form reader would add.');
  }
  return { pages, warnings, ...(document.needsRepair && { needsRepair: true }) };
}

/** Counts the pages: a page tree can claim more than it has, and the existing ones come first. */
function countPages(document: PdfDocument, claimed: number): number {
  let pages = 0;
  while (pages < claimed && document.has(pages + 1)) pages++;
  return pages;
}

function isStandIn(pdfium: Pdfium, document: PdfDocument, pages: number): boolean {
  if (pages > 1) return false;
  const page = readTextPage(pdfium, document, { number: 1, positions: false });
  return page.kind === 'blank' || STAND_IN.test(page.text);
}
