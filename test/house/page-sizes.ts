import { type EngineAnswer, says } from './engine-answers.ts';
import type { EngineCall } from './engine-call.ts';
import { makePdf } from './pdf.ts';

/** Rendered at 72 dpi, a point is a pixel: the pages of `pdfOfPages` are told apart by their width. */
export const AT_72_DPI = { settings: { dpi: 72 } } as const;

/** A PDF whose page n is 100 n points wide and shows lines. */
export function pdfOfPages(count: number): Buffer {
  const pages = Array.from({ length: count }, (_, index) => {
    const width = 100 * (index + 1);
    return { size: [width, 200] as const, content: `0 g 10 50 ${width - 20} 20 re f 10 100 ${width - 20} 20 re f\n` };
  });
  return makePdf(pages);
}

/** Which page of `pdfOfPages` a call is about. */
export async function pageOf(call: EngineCall): Promise<number> {
  return Math.round((await call.size()).width / 100);
}

/** A script that says `text of page n`. */
export async function saysItsPage(call: EngineCall): Promise<EngineAnswer> {
  return says(`text of page ${await pageOf(call)}`);
}
