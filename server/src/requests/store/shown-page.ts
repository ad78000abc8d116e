import { OcrPage, type PageParts } from '../model/ocr-page.ts';

/** A page as an answer shows it: texts and lines are the account's alone, and a page without text of its own has an empty one. */
export function shownPage(page: OcrPage, { parts, isOwn }: { parts: PageParts; isOwn: boolean }): OcrPage {
  const shows = isOwn ? parts : NOTHING;
  const isRead = page.state === 'read' || page.state === 'blank';
  const text = isOwn ? (page.text ?? (isRead ? '' : null)) : null;
  return Object.assign(new OcrPage(), page, { text, shows });
}

/** Operators see what was read how. */
export function withoutText(page: OcrPage): OcrPage {
  return Object.assign(new OcrPage(), page, { text: null, shows: NOTHING });
}

const NOTHING: PageParts = { lines: false, words: false, tables: false };
