import { count } from '@ocr-router/ui/format/count.ts';

/** As many characters as the service keeps of what was read in part. */
const KEPT_CHARACTERS = 2000;

/** What is shown of a request that was read in part. */
export function previewWords(preview: string): string {
  if ([...preview].length < KEPT_CHARACTERS) return 'The part that was read.';
  return `The first ${count(KEPT_CHARACTERS)} characters of the part that was read.`;
}
