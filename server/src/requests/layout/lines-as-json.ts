import { LargeJson } from '../../platform/turns/json-in-turns.ts';
import type { KeptLines } from './kept-lines.ts';
import { jsonOfLines } from './line-json.ts';
import { type TextLine, unpackLine, unpackLines } from './unpack-lines.ts';

/**
 * Lines as JSON for callers, which is made page by page when it is written: as objects, the words of a long document are more
 * than the rest of its answer takes.
 */
export class LinesAsJson extends LargeJson {
  readonly #lines: KeptLines;
  readonly #words: boolean;

  constructor(lines: KeptLines, { words }: { words: boolean }) {
    super();
    this.#lines = lines;
    this.#words = words;
  }

  get size(): number {
    return this.#lines.jsonSize;
  }

  get held(): number {
    return this.#lines.packed?.length ?? this.#lines.jsonSize;
  }

  protected value(): TextLine[] {
    return unpackLines(this.#lines, { words: this.#words });
  }

  *pieces(): Generator<string | Uint8Array> {
    let before = '[';
    for (const line of this.#eachLine()) {
      yield before;
      yield line;
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  }

  *#eachLine(): Generator<string | Uint8Array> {
    const wanted = { words: this.#words };
    const { packed } = this.#lines;
    if (packed) yield* jsonOfLines(packed, wanted);
    else for (const line of this.#lines) yield JSON.stringify(unpackLine(line, wanted));
  }
}
