import { type JsonLayout, jsonOfLayout, layoutOfJson } from '../layout/stored-layout.ts';
import { OcrPage } from '../model/ocr-page.ts';

/** Pages with their texts and layouts, for a caller who waits in another process while nothing is retained. */
export function passingPages(pages: readonly OcrPage[]): object[] {
  return pages.map((page) => {
    return { ...page, cost: String(page.cost), layout: page.layout && jsonOfLayout(page.layout) };
  });
}

/** A page of `passingPages`, read back from JSON. */
export type PassedPage = Record<string, unknown> & { readonly cost: string; readonly layout?: JsonLayout | null };

/** The pages that `passingPages` has written. */
export function passedPages(pages: readonly PassedPage[]): OcrPage[] {
  return pages.map(({ layout, cost, ...page }) =>
    Object.assign(new OcrPage(), page, { cost: BigInt(cost), layout: layout ? layoutOfJson(layout) : null }),
  );
}
