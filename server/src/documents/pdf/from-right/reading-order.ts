import { isWrittenFromRight } from './ligatures.ts';

type Direction = 'right' | 'left' | 'number' | 'none';

const ARABIC = /\p{Script=Arabic}/u;
const SEPARATOR = /^[.,:/٫٬،]$/;
/** Signs that separate numbers in Hebrew; in Arabic they run from the right. */
const SIGN = /^[-+]$/;
const UNIT = /^[%‰$€£¥₪#°]$/;
const OPENING = '([{';
const CLOSING = ')]}';
/** Marks that stand at the end of a line, or of one that is broken off. */
const ENDING = /^[.,:;!?،؛؟]$/;

/** Whether most of a page's lines begin at the right. `lines` have their parts from left to right. */
export function isFromRightPage(lines: readonly (readonly string[])[]): boolean {
  const votes = lines.map((line) => {
    const { right, left } = lettersOf(line);
    return endsAtLeft(line) ?? (right === left ? null : right > left);
  });
  const count = (vote: boolean) => votes.filter((one) => one === vote).length;
  return count(true) > count(false);
}

/** The text of a line in the order in which it is read. `visual` has its parts from left to right. */
export function inReadingOrder(visual: readonly string[], pageIsFromRight: boolean): string {
  const { right, left } = lettersOf(visual);
  if (right === 0 && (left > 0 || !pageIsFromRight)) return visual.join('');
  if (right === 0 || (endsAtLeft(visual) ?? (pageIsFromRight || right >= left))) return turned(visual).join('');
  const read: string[] = [];
  for (let at = 0; at < visual.length; ) {
    const end = directionOf(visual[at]) === 'right' ? lastBefore(visual, at, 'left', ['right']) + 1 : at + 1;
    for (const text of turned(visual.slice(at, end))) read.push(text);
    at = end;
  }
  return read.join('');
}

/** Whether the full stop of a line, or the like, stands at its left end; null where it has none, or one at either end. */
function endsAtLeft(visual: readonly string[]): boolean | null {
  const [atLeft, atRight] = [ENDING.test(visual[0] ?? ''), ENDING.test(visual.at(-1) ?? '')];
  return atLeft === atRight ? null : atLeft;
}

function lettersOf(texts: readonly string[]): { right: number; left: number } {
  const directions = texts.map(directionOf);
  const count = (direction: Direction) => directions.filter((one) => one === direction).length;
  return { right: count('right'), left: count('left') };
}

function directionOf(text: string | undefined): Direction {
  if (text === undefined) return 'none';
  if (/\p{N}/u.test(text)) return 'number';
  if (isWrittenFromRight(text)) return 'right';
  return /\p{L}/u.test(text) ? 'left' : 'none';
}

/** Turns parts around, except words and numbers that run from the left. */
function turned(visual: readonly string[]): string[] {
  const isArabic = visual.some((text) => ARABIC.test(text));
  const parts: string[][] = [];
  for (let at = 0; at < visual.length; ) {
    const direction = directionOf(visual[at]);
    let end = at + 1;
    if (direction === 'left') end = endOfWords(visual, at);
    else if (direction === 'number') end = endOfNumber(visual, at, isArabic);
    parts.push(visual.slice(at, end));
    at = end;
  }
  return parts.reverse().flat();
}

/** The end of the words from the left that begin at `start`, with the numbers behind them and what stands between. */
function endOfWords(visual: readonly string[], start: number): number {
  let end = lastBefore(visual, start, 'right', ['left', 'number']) + 1;
  if (directionOf(visual[end - 1]) === 'number' && UNIT.test(visual[end] ?? '')) end++;
  const kind = CLOSING.indexOf(visual[end] ?? ' ');
  const part = visual.slice(start, end);
  const open =
    part.filter((text) => text === OPENING[kind]).length - part.filter((text) => text === CLOSING[kind]).length;
  return kind >= 0 && open > 0 ? end + 1 : end;
}

function endOfNumber(visual: readonly string[], start: number, isArabic: boolean): number {
  const isNumber = (at: number) => directionOf(visual[at]) === 'number';
  const joins = (text: string) => SEPARATOR.test(text) || (!isArabic && SIGN.test(text));
  let end = start + 1;
  while (isNumber(end) || (joins(visual[end] ?? '') && isNumber(end + 1))) end++;
  // A number that is broken off at the end of a line keeps its sign.
  const isCut = start === 0 && SIGN.test(visual[end] ?? '') && !isNumber(end + 1);
  return isCut || (!isArabic && UNIT.test(visual[end] ?? '')) ? end + 1 : end;
}

/** The last place with a wanted direction, from `start` to before the first place with the direction `stop`. */
function lastBefore(visual: readonly string[], start: number, stop: Direction, wanted: readonly Direction[]): number {
  let last = start;
  for (let at = start; at < visual.length; at++) {
    const direction = directionOf(visual[at]);
    if (direction === stop) break;
    if (wanted.includes(direction)) last = at;
  }
  return last;
}
