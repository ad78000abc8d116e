import { type Box, LINE, rowOf, WORD } from './table/table-row.ts';

/** A line of text with its place on the page. */
export interface Line {
  readonly box: Box;
  readonly letters: number;
  readonly score: number;
}

/** The result of one pass over a picture. */
export interface Recognition {
  /** The text as Tesseract lays it out, without blanks at its end. */
  readonly text: string;
  /** 0 to 1: the words' confidence, each weighted by its length; null without words. */
  readonly confidence: number | null;
  /** Number of letters and digits. */
  readonly letters: number;
  /** Letters weighted by the cube of their confidence: how much was surely read, whatever noise there is. */
  readonly score: number;
  readonly lines: readonly Line[];
  /** Median height of words in pixels; null without words. */
  readonly wordHeight: number | null;
  /** The rows of the table of lines and words with their places, as Tesseract writes it. */
  readonly rows: readonly string[];
  /** Settings that this version of Tesseract does not know. */
  readonly unknownVariables: readonly string[];
}

/** level, page, block, paragraph, line, word, left, top, width, height, confidence, text */
const ROW = /^[1-5](?:\t-?\d+){9}\t[^\t]*\t/;
const HEADER = /^level\tpage_num\t/;

/** Splits an output with the table and the text, in whichever order this version writes them. */
export function splitOutput(output: string): { text: string; rows: string[] } {
  const rows: string[] = [];
  const text: string[] = [];
  for (const line of output.split('\n')) {
    if (ROW.test(line)) rows.push(line);
    else if (!HEADER.test(line)) text.push(line);
  }
  return { text: text.join('\n'), rows };
}

export function makeRecognition(text: string, rows: readonly string[], unknownVariables: string[] = []): Recognition {
  const words = rows.map(rowOf);
  const lines: Line[] = [];
  const heights: number[] = [];
  let weights = 0;
  let weighted = 0;
  for (const word of words) {
    if (word.level === LINE) lines.push({ box: word.box, letters: 0, score: 0 });
    if (word.level !== WORD || !word.length) continue;
    if (word.letters >= 2) heights.push(word.box.height);
    weights += word.length;
    weighted += word.length * word.confidence;
    const line = lines.pop() ?? { box: word.box, letters: 0, score: 0 };
    const score = line.score + word.letters * word.confidence ** 3;
    lines.push({ box: line.box, letters: line.letters + word.letters, score });
  }
  return {
    text: text.replace(/\f/g, '').trimEnd(),
    confidence: weights ? weighted / weights : null,
    letters: lines.reduce((sum, line) => sum + line.letters, 0),
    score: lines.reduce((sum, line) => sum + line.score, 0),
    lines,
    wordHeight: heights.sort((a, b) => a - b)[heights.length >> 1] ?? null,
    rows,
    unknownVariables,
  };
}
