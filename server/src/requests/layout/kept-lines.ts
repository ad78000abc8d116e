import { bytesOfLines, linesOfBytes } from '../../documents/positions/line-bytes.ts';
import type { PackedLine } from '../../documents/positions/packed-line.ts';
import { atOnce } from '../../platform/turns/slices.ts';

/** So many bytes of JSON a byte of lines becomes: what is counted of them is the size of the JSON. */
export const BYTES_OF_JSON = 5;

/** What callers get of a byte of lines, and of a word, about. */
const CHARACTERS_A_BYTE = 12;
const CHARACTERS_A_WORD = 150;

/** Lines of a page as a row has them: as bytes, or as JSON where an earlier version wrote it; both null where there are none. */
export interface LinesOfRow {
  readonly lines: readonly PackedLine[] | null;
  readonly lineBytes: Buffer | null;
}

/**
 * Lines of a page as they are kept: in bytes, of which each line is made when it is looked at. As objects, those of a long
 * document take twenty times the memory, for as long as its request lives.
 */
export class KeptLines implements Iterable<PackedLine> {
  readonly #kept: Buffer | readonly PackedLine[];

  private constructor(kept: Buffer | readonly PackedLine[]) {
    this.#kept = kept;
  }

  /** In steps: those of a dense page take long. */
  static *of(lines: readonly PackedLine[]): Generator<void, KeptLines> {
    return new KeptLines(yield* bytesOfLines(lines));
  }

  static ofBytes(bytes: Uint8Array<ArrayBuffer>): KeptLines {
    return new KeptLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** Null where the row has none. */
  static ofRow({ lines, lineBytes }: LinesOfRow): KeptLines | null {
    const kept = lineBytes ?? lines;
    return kept && new KeptLines(kept);
  }

  /** About how many characters they are as JSON for callers. */
  get jsonSize(): number {
    if (Buffer.isBuffer(this.#kept)) return this.#kept.length * CHARACTERS_A_BYTE;
    return this.#kept.reduce((sum, [, , , , words]) => sum + CHARACTERS_A_WORD * (1 + words.length), 0);
  }

  /** Their bytes; null where an earlier version wrote them as JSON. */
  get packed(): Buffer | null {
    return Buffer.isBuffer(this.#kept) ? this.#kept : null;
  }

  get bytes(): Buffer {
    return Buffer.isBuffer(this.#kept) ? this.#kept : atOnce(bytesOfLines(this.#kept));
  }

  [Symbol.iterator](): Iterator<PackedLine> {
    return Buffer.isBuffer(this.#kept) ? linesOfBytes(this.#kept) : this.#kept[Symbol.iterator]();
  }

  /** As earlier versions write them, and read them beside this one, in what is kept of a page until its request has ended. */
  toJSON(): readonly PackedLine[] {
    return [...this];
  }
}
