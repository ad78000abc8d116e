import type { Source } from './draft.ts';

/** What browsers show by themselves; animated and large ones as their first picture. */
const SHOWN = /^image\/(png|jpeg|webp|gif|bmp)$/;

/** The document as a picture of its one page; null where it is none that the browser shows. */
export function pictureOf(source: Source | null): string | null {
  if (source?.kind !== 'file' || !SHOWN.test(source.type)) return null;
  return `data:${source.type};base64,${source.base64}`;
}

/** The document's bytes; null where its URL alone is known. */
export function blobOf(source: Source | null): Blob | null {
  if (source?.kind !== 'file') return null;
  return new Blob([Uint8Array.from(atob(source.base64), (character) => character.charCodeAt(0))], {
    type: source.type,
  });
}
