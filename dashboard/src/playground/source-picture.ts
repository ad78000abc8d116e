import { pagePicture } from '../http/page-picture.ts';
import type { DrawPage } from '../positions/use-page-picture.ts';
import type { Source } from './draft.ts';

/** What browsers show by themselves; of animated and large ones the first picture. */
const SHOWN = /^image\/(png|jpeg|webp|gif|bmp)$/;

/** The document as a picture of its one page; null where it is none that the browser shows. */
export function pictureOf(source: Source | null): string | null {
  if (source?.kind !== 'file' || !SHOWN.test(source.type)) return null;
  return `data:${source.type};base64,${source.base64}`;
}

/** How a page of the document gets its picture; null where its URL alone is known. */
export function drawPageOf(source: Source | null): DrawPage | null {
  const document = blobOf(source);
  if (document === null) return null;
  return async (page, signal) =>
    page === 1 && SHOWN.test(document.type) ? document : pagePicture(document, { page }, signal);
}

/** The document's bytes; null where its URL alone is known. */
export function blobOf(source: Source | null): Blob | null {
  if (source?.kind !== 'file') return null;
  return new Blob([Uint8Array.from(atob(source.base64), (character) => character.charCodeAt(0))], {
    type: source.type,
  });
}
