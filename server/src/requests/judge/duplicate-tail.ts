import { tailPeriods } from './tail-periods.ts';
import { isRow, isWordless, weight } from './weight.ts';

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
/** Lines of figures alone, or of rules and blanks, fill whole pages of honest documents: no page has so many of them. */
const LOOP_REPEATS_OF_FIGURES = 150;
/** Characters without a word: leaders, rules, blanks, a row of zeros. */
const MIN_LOOP_WITHOUT_WORDS = 500;

/**
 * Finds the end of a text that repeats itself, as vision models write it when they run in circles. It is judged by what
 * stands there again, character by character: lines that differ are none, however alike they are. Repeats that honest
 * documents have (leaders, blanks of a form, equal rows and cells) are none. Null when the end does not repeat.
 */
export function duplicateTail(text: string): DuplicateTail | null {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return repeatedLines(lines) ?? brokenOffLoop(lines) ?? repeatedPhrase(lines);
}

/** The same, for the end of a text in which numbers run along: where everything else is the same. */
export function driftingTail(text: string): DuplicateTail | null {
  return duplicateTail(text.replace(/\p{N}+/gu, '0'));
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
  const text = block.join('\n');
  if (isWordless(text)) return repeats >= LOOP_REPEATS_OF_FIGURES && repeats * text.length >= MIN_LOOP_WITHOUT_WORDS;
  const content = weight(text);
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
    if (isRepeatedPhrase(unit, repeats)) return { repeats, lines: 1, text: unit.trim() || unit };
  }
  return null;
}

function isRepeatedPhrase(unit: string, repeats: number): boolean {
  const characters = repeats * unit.length;
  // One letter over and over is no word either: a ruler of x, a sequence of genes.
  if (isWordless(unit) || unit.trim().length < 2) return characters >= MIN_LOOP_WITHOUT_WORDS && unit.trim() !== '';
  const isPhrase = weight(unit) >= MIN_PHRASE && repeats >= (isRow(unit) ? LOOP_REPEATS_OF_ROWS : LOOP_REPEATS);
  return isPhrase || (repeats >= LOOP_REPEATS_OF_WORDS && characters >= MIN_LOOP_OF_WORDS);
}

function numberOf(line: string, numbers: Map<string, number>): number {
  const number = numbers.get(line) ?? numbers.size;
  numbers.set(line, number);
  return number;
}
