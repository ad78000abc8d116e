import type { Span } from './image-markup.ts';

/** A run of markers; `left` of them wait for a partner. */
interface Run {
  readonly start: number;
  readonly size: number;
  left: number;
  readonly opens: boolean;
  readonly closes: boolean;
  /** Whether a word touches the run from outside, where it is read as an opening or a closing one. */
  readonly wordBefore: boolean;
  readonly wordAfter: boolean;
}

/** Letters of scripts that put spaces between words, and digits: an asterisk between two of them is arithmetic. */
const WORD = /[\p{L}\p{N}]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Finds the markers of true emphasis in a line (`*it*`, `**bold**`, `***both***`, `~~struck~~`). Stricter than CommonMark:
 * `2*3*4`, `x**2`, `5 * 3`, `*.pdf` and masked numbers (`****1234`) are text.
 */
export function emphasisMarkers(line: string, literal: (index: number) => boolean): Span[] {
  return ['*', '~~'].flatMap((marker) => (line.includes(marker) ? pairUp(findRuns(line, marker, literal)) : []));
}

function findRuns(line: string, marker: string, literal: (index: number) => boolean): Run[] {
  const char = marker[0];
  const runs: Run[] = [];
  for (let i = 0; i < line.length; i += 1) {
    if (line[i] !== char || literal(i)) continue;
    const start = i;
    while (line[i + 1] === char && !literal(i + 1)) i += 1;
    const size = i + 1 - start;
    const wanted = char === '*' ? size <= 3 : size === marker.length;
    if (wanted) runs.push(describe(line, start, size));
  }
  return runs;
}

function describe(line: string, start: number, size: number): Run {
  const before = characterBefore(line, start);
  const after = characterAt(line, start + size);
  const wordBefore = isWord(before) || /^[)\]}]/.test(before);
  const wordAfter = isWord(after) || /^[([{]/.test(after);
  const quoted = before === after && /[^\s\p{L}\p{N}]/u.test(before); // "*" names the character
  const strict = size === 1;
  const power = wordBefore && /^\p{N}/u.test(after); // x**2 closes nothing
  return {
    start,
    size,
    left: size,
    wordBefore,
    wordAfter,
    opens: !quoted && /^[^\s)\]}>.,;:!?]/.test(after) && !(strict && (wordBefore || before === '/')),
    closes: !quoted && !power && /[^\s([{<]$/.test(before) && !(strict && (wordAfter || after === '/')),
  };
}

/** Pairs each closing run with the nearest opening run of its size; three match one and two. Each run is popped once. */
function pairUp(runs: readonly Run[]): Span[] {
  const markers: Span[] = [];
  const open: Run[] = [];
  const waiting = [0, 0, 0, 0];
  const pop = () => {
    const run = open.pop();
    if (run) waiting[run.left] = (waiting[run.left] ?? 0) - 1;
    return run;
  };
  const push = (run: Run) => {
    open.push(run);
    waiting[run.left] = (waiting[run.left] ?? 0) + 1;
  };
  for (const run of runs) {
    while (run.closes && run.left > 0 && waiting.some((count, size) => count > 0 && fits(size, run.left))) {
      const opening = pop();
      if (!opening || !fits(opening.left, run.left)) continue;
      if (opening.wordBefore && run.wordAfter) {
        push(opening);
        break;
      }
      const used = Math.min(opening.left, run.left);
      const openedAt = opening.start + opening.left - used;
      const closedAt = run.start + run.size - run.left;
      markers.push({ start: openedAt, end: openedAt + used }, { start: closedAt, end: closedAt + used });
      opening.left -= used;
      run.left -= used;
      if (opening.left > 0) push(opening);
    }
    if (run.opens && run.left > 0) push(run);
  }
  return markers;
}

function fits(one: number, other: number): boolean {
  return one === other || one === 3 || other === 3;
}

function isWord(character: string): boolean {
  return WORD.test(character) && !UNSPACED.test(character);
}

function characterAt(line: string, index: number): string {
  const code = line.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(line: string, index: number): string {
  const isTail = index >= 2 && /[\uDC00-\uDFFF]/.test(line[index - 1] ?? '');
  return characterAt(line, index - (isTail ? 2 : 1));
}
