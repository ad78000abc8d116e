import { Slices } from './slices.ts';

/** Characters of a piece. */
const PIECE = 64 * 1024;

/** Texts joined to pieces, with turns for others in between: what is written of a dense page takes too long for one go. */
export async function* textInTurns(texts: Iterable<string>): AsyncGenerator<string> {
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
