import { OcrPage, type PageParts } from '../model/ocr-page.ts';

/** A page as an answer shows it. Only its account gets text and lines; a page that was read without text has an empty one. */
export function shownPage(page: OcrPage, { parts, isOwn }: { parts: PageParts; isOwn: boolean }): OcrPage {
  const shows = isOwn ? parts : NOTHING;
  const isRead = page.state === 'read' || page.state === 'blank';
  const text = isOwn ? (page.text ?? (isRead ? '' : null)) : null;
  return Object.assign(new OcrPage(), page, { text, shows });
}

/** The page as operators see it, without its text. */
export function withoutText(page: OcrPage): OcrPage {
  return Object.assign(new OcrPage(), page, { text: null, shows: NOTHING });
}

const NOTHING: PageParts = { lines: false, words: false, tables: false };
