import { fitPicture, type PictureLimits } from '../../../documents/pictures/fit-picture.ts';
import type { EngineInput, Reading } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';

/** The input with its picture fitted to the limits, and notes on what was changed. */
export async function fitInput(input: EngineInput, limits: PictureLimits, signal: AbortSignal) {
  if (input.kind === 'document') return { fitting: input, notes: [] };
  const picture = await fitPicture(input.picture, limits, { signal, party: input.party });
  const notes = picture.warnings.filter((warning) => !input.picture.warnings.includes(warning));
  return { fitting: { ...input, picture }, notes };
}

/** The bytes of the picture or of the PDF. */
export function bytesOf(input: EngineInput): Buffer {
  return input.kind === 'picture' ? input.picture.bytes : input.bytes;
}

/** The numbers of the pages that one call is to read. */
export function askedPages(input: EngineInput): readonly number[] {
  return input.kind === 'picture' ? [input.page] : input.pages;
}

/** The reading of a PDF by an engine that takes pictures only. */
export function picturesOnly(): Reading {
  const message = 'The gateway’s configuration: this engine takes no whole PDFs, native_pdf must be off for it.';
  return unread({ ending: { kind: 'failed', message, temporary: false, httpStatus: 400 }, billed: 'no' });
}
