import { linesOfBytes } from './line-bytes.ts';
import type { PackedLine } from './stored-layout.ts';

/** Lines of a page as a row has them: as bytes, or as JSON where an earlier version wrote it; both null where there are none. */
export interface KeptLines {
  readonly lines: readonly PackedLine[] | null;
  readonly lineBytes: Buffer | null;
}

/** So many bytes of JSON a byte of lines becomes: what is counted of them is the size of the JSON. */
export const BYTES_OF_JSON = 5;

export function linesKept({ lines, lineBytes }: KeptLines): readonly PackedLine[] | null {
  return lineBytes ? linesOfBytes(lineBytes) : lines;
}
