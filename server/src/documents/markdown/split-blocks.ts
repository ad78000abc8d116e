interface Line {
  readonly text: string;
  /** `\n`, `\r\n`, `\r`, or nothing at the end of the text. */
  readonly ending: string;
}

/** Neighbouring lines of which none has a mark that Markdown knows, or one line that has one. */
export interface Block extends Line {
  readonly isPlain: boolean;
}

/** Marks that some rule of the conversion looks for: a line without one is text, whatever the lines around it. */
const MARKS = /[*_`~\\!<>#|]|-[ \t]+-/g;
const BREAK = /\r\n|\n|\r/g;

/**
 * Divides a text into blocks, which have all its characters: one for each line with a mark, and one for the lines between two of
 * them.
 */
export function* splitBlocks(text: string): Generator<Block> {
  for (let from = 0; from < text.length; ) {
    MARKS.lastIndex = from;
    const mark = MARKS.exec(text)?.index ?? null;
    if (mark === null) {
      yield { text: text.slice(from), ending: '', isPlain: true };
      return;
    }
    const start = lineStart(text, mark, from);
    if (start > from) yield { ...withEnding(text, from, start), isPlain: true };
    BREAK.lastIndex = mark;
    const { index, 0: found } = BREAK.exec(text) ?? { index: text.length, 0: '' };
    from = index + found.length;
    yield { text: text.slice(start, index), ending: found, isPlain: false };
    if (from === text.length && found !== '') yield { text: '', ending: '', isPlain: true };
  }
}

/** The beginning of the line in which a place stands, but not before `from`. */
function lineStart(text: string, place: number, from: number): number {
  let at = place;
  while (at > from && text[at - 1] !== '\n' && text[at - 1] !== '\r') at -= 1;
  return at;
}

/** Whole lines as one block, with the last one's ending apart. */
function withEnding(text: string, start: number, end: number): Line {
  const length = text[end - 1] === '\n' && text[end - 2] === '\r' ? 2 : 1;
  return { text: text.slice(start, end - length), ending: text.slice(end - length, end) };
}
