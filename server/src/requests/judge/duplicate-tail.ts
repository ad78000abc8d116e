import { deflateRawSync } from 'node:zlib';
import { tailPeriods } from './tail-periods.ts';

export interface DuplicateTail {
  /** How often the block stands at the end: 2 is one exact repeat, 3 or more a runaway loop. */
  readonly repeats: number;
  /** Lines of one block. */
  readonly lines: number;
  /** The block. */
  readonly text: string;
}

/** A phrase: below this weight one line is a word, a number or a cell, which documents do repeat. */
const MIN_PHRASE = 20;
/** Several lines in the same order, and short lines that are more than a word. */
const MIN_WEIGHT_OF_LINES = 12;
const LOOP_REPEATS = 3;
/** Rows of a table, and short lines, repeat in honest documents (a receipt, a timetable), but not that often. */
const LOOP_REPEATS_OF_ROWS = 20;
const LOOP_REPEATS_OF_WORDS = 51;
const MIN_LOOP_OF_WORDS = 100;
/**
 * How far the words shrink under compression: prose by 2 to 3, statements by 4 to 6, a page of checkboxes or serial
 * numbers by 10 to 25. Only text longer than a page holds is a loop at 10.
 */
const LOOP_RATIOS = [
  { above: 2000, ratio: 25 },
  { above: 8000, ratio: 10 },
] as const;
const MAX_MEASURED = 32_768;

/**
 * Finds the end of a text that repeats itself, as vision models write it when they run in circles. Repeats that honest
 * documents have (leaders, blanks of a form, equal rows and cells) are none. Null when the end does not repeat.
 */
export function duplicateTail(text: string): DuplicateTail | null {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return repeatedLines(lines) ?? brokenOffLoop(lines) ?? repeatedPhrase(lines) ?? repetitiveWords(lines);
}

/** Whole lines; blank ones between them do not matter. */
function repeatedLines(lines: readonly string[]): DuplicateTail | null {
  const filled = lines.flatMap((line, at) => (line === '' ? [] : [at]));
  const numbers = new Map<string, number>();
  const sequence = filled.map((at) => numberOf(lines[at] ?? '', numbers));
  for (const { length, repeats } of tailPeriods(sequence)) {
    const block = lines.slice(filled.at(-length), (filled.at(-1) ?? 0) + 1);
    if (isRepeatedBlock(block, length, repeats)) return { repeats, lines: block.length, text: block.join('\n') };
  }
  return null;
}

/** A loop whose last line breaks off in the middle. */
function brokenOffLoop(lines: readonly string[]): DuplicateTail | null {
  const last = lines.findLastIndex((line) => line !== '');
  const loop = repeatedLines(lines.slice(0, Math.max(last, 0)));
  return loop && loop.repeats >= LOOP_REPEATS && loop.text.startsWith(lines[last] ?? '') ? loop : null;
}

function isRepeatedBlock(block: readonly string[], filledLines: number, repeats: number): boolean {
  const content = weight(block.join('\n'));
  if (content === 0) return false;
  const isRows = block.every((line) => line === '' || isRow(line));
  const isPassage = content >= (filledLines > 1 ? MIN_WEIGHT_OF_LINES : MIN_PHRASE);
  if (isPassage && !isRows) return true;
  const isWord = content < (isRows ? MIN_PHRASE : MIN_WEIGHT_OF_LINES);
  return repeats >= (isWord ? LOOP_REPEATS_OF_WORDS : LOOP_REPEATS_OF_ROWS);
}

/** A phrase that fills the end of one line; it may break off in the middle. */
function repeatedPhrase(lines: readonly string[]): DuplicateTail | null {
  const last = lines.findLast((line) => line !== '') ?? '';
  const codes = Uint16Array.from(last, (_, i) => last.charCodeAt(i));
  for (const { length, repeats } of tailPeriods(codes)) {
    const unit = last.slice(-length);
    const content = weight(unit);
    const isPhrase = content >= MIN_PHRASE && repeats >= (isRow(unit) ? LOOP_REPEATS_OF_ROWS : LOOP_REPEATS);
    const isWord = content > 0 && repeats >= LOOP_REPEATS_OF_WORDS && repeats * length >= MIN_LOOP_OF_WORDS;
    if (isPhrase || isWord) return { repeats, lines: 1, text: unit.trim() };
  }
  return null;
}

/** Almost exact repeats (a counter runs along) show in how far the words shrink; `repeats` is then an estimate. */
function repetitiveWords(lines: readonly string[]): DuplicateTail | null {
  const prose = lines
    .filter((line) => !isRow(line))
    .join('\n')
    .slice(-MAX_MEASURED);
  const words = prose.replace(/[^\p{L}\p{N}]+/gu, ' ');
  if (words.length <= LOOP_RATIOS[0].above) return null;
  const bytes = Buffer.from(words);
  const ratio = bytes.length / deflateRawSync(bytes).length;
  if (!LOOP_RATIOS.some((limit) => words.length > limit.above && ratio > limit.ratio)) return null;
  return { repeats: Math.round(ratio), lines: 1, text: lines.findLast((line) => line !== '') ?? '' };
}

function numberOf(line: string, numbers: Map<string, number>): number {
  const number = numbers.get(line) ?? numbers.size;
  numbers.set(line, number);
  return number;
}

/** Characters, a run of the same filler (dots, dashes, underscores, spaces) counted once; 0 without a letter or digit. */
function weight(unit: string): number {
  return /[\p{L}\p{N}]/u.test(unit) ? unit.replace(/([^\p{L}\p{N}])\1+/gu, '$1').length : 0;
}

function isRow(line: string): boolean {
  return line.includes('|') || line.includes('\t');
}
