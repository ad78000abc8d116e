import { setImmediate as turn } from 'node:timers/promises';

/** Characters of a piece. */
const PIECE = 64 * 1024;

/** Texts in pieces, with turns for others between them: what is written of a dense page takes too long for one go. */
export async function* gathered(texts: Iterable<string>): AsyncGenerator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
    await turn();
  }
  if (piece !== '') yield piece;
}
