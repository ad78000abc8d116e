import { emphasisMarkers } from './emphasis.ts';
import { findImages, type Span } from './image-markup.ts';

const MARKUP = /[*`~\\!<]/;
const ESCAPABLE = new Set('*_|#`');
/** Addresses, bare or as the target of a link: an asterisk inside one is part of it. */
const ADDRESS = /(?:https?:\/\/|\]\()[^\s<>|)]*[^\s<>|)*~_.,;:!?'"`]/g;

/** The text of one line without inline markup: emphasis, code marks, images and backslash escapes. Links stay. */
export function plainInline(line: string): string {
  if (!MARKUP.test(line)) return line;
  const literal = new Uint8Array(line.length);
  const isLiteral = (index: number) => literal[index] === 1;
  const markup = findLiterals(line, literal);
  const images = findImages(line, isLiteral);
  for (const span of [...images, ...findAddresses(line)]) literal.fill(1, span.start, span.end);
  return without(line, [...markup, ...images, ...emphasisMarkers(line, isLiteral)]);
}

/** Marks what inline markup cannot touch (escaped characters, code), and returns the backslashes and code marks. */
function findLiterals(line: string, literal: Uint8Array): Span[] {
  const markup: Span[] = [];
  const closings = new BacktickRuns(line);
  for (let i = 0; i < line.length; i += 1) {
    if (line[i] === '\\' && ESCAPABLE.has(line[i + 1] ?? '')) {
      markup.push({ start: i, end: i + 1 });
      literal[i + 1] = 1;
      i += 1;
    } else if (line[i] === '`') {
      const size = runLength(line, i);
      const closing = closings.next(size, i + size);
      if (closing !== null) {
        const [start, end] = codeContent(line, i + size, closing);
        markup.push({ start: i, end: start }, { start: end, end: closing + size });
        literal.fill(1, i, closing + size);
      }
      i = (closing ?? i) + size - 1;
    }
  }
  return markup;
}

/** The content of a code span: one space at each side belongs to the marks, unless there is nothing else. */
function codeContent(line: string, start: number, end: number): [number, number] {
  const padded = line[start] === ' ' && line[end - 1] === ' ' && line.slice(start, end).trim() !== '';
  return padded ? [start + 1, end - 1] : [start, end];
}

function findAddresses(line: string): Span[] {
  return Array.from(line.matchAll(ADDRESS), (match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** `line` without the spans; one may lie inside another (an escape in an image). */
function without(line: string, spans: Span[]): string {
  let kept = '';
  let from = 0;
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (span.start > from) kept += line.slice(from, span.start);
    from = Math.max(from, span.end);
  }
  return kept + line.slice(from);
}

function runLength(line: string, start: number): number {
  let end = start;
  while (line[end] === '`') end += 1;
  return end - start;
}

/** The places of runs of backticks, by their length. Asked from left to right, so that each run is passed once. */
class BacktickRuns {
  readonly #starts = new Map<number, number[]>();
  readonly #passed = new Map<number, number>();

  constructor(line: string) {
    for (const { 0: run, index } of line.matchAll(/`+/g)) {
      const starts = this.#starts.get(run.length);
      if (starts) starts.push(index);
      else this.#starts.set(run.length, [index]);
    }
  }

  /** The first run of exactly this length at or after `from`. */
  next(length: number, from: number): number | null {
    const starts = this.#starts.get(length) ?? [];
    let passed = this.#passed.get(length) ?? 0;
    while (passed < starts.length && (starts[passed] ?? 0) < from) passed += 1;
    this.#passed.set(length, passed);
    return starts[passed] ?? null;
  }
}
