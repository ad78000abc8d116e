import { Slices } from '../../platform/turns/slices.ts';

/** Characters of a piece. */
const PIECE = 64 * 1024;

/** Texts in pieces, with turns for others between them: what is written of a dense page takes too long for one go. */
export async function* gathered(texts: Iterable<string>): AsyncGenerator<string> {
  const slices = new Slices();
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (slices.isOver) await slices.next();
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
