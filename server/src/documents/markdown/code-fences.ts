/** The part of a line in fenced code: outside it, one of its two marks, or its content. */
export type LineKind = 'text' | 'fence' | 'code';

interface Fence {
  readonly char: string;
  readonly length: number;
  /** Whether there is no info string: a closing mark has none. */
  readonly bare: boolean;
}

/** Lines that are looked at in one go. */
const LINES = 1000;

/**
 * Tells code from text, line by line, yielding now and then. A fence that is never closed is text: it must not swallow the pages
 * after it.
 */
export function* lineKinds(lines: readonly string[]): Generator<void, LineKind[]> {
  const fences: (Fence | null)[] = [];
  const kinds: LineKind[] = [];
  for (const line of lines) {
    kinds.push('text');
    if (fences.push(readFence(line)) % LINES === 0) yield;
  }
  const unclosed = new Map<string, number>();
  let i = 0;
  while (i < lines.length) {
    const opening = fences[i];
    const close =
      opening && opening.length < (unclosed.get(opening.char) ?? Infinity) ? closing(fences, opening, i) : -1;
    if (close > 0) {
      kinds.fill('code', i + 1, close);
      kinds[i] = 'fence';
      kinds[close] = 'fence';
      i = close;
    } else if (opening) {
      unclosed.set(opening.char, Math.min(opening.length, unclosed.get(opening.char) ?? Infinity));
    }
    i += 1;
  }
  return kinds;
}

function closing(fences: readonly (Fence | null)[], opening: Fence, from: number): number {
  for (let i = from + 1; i < fences.length; i += 1) {
    const fence = fences[i];
    if (fence?.bare && fence.char === opening.char && fence.length >= opening.length) return i;
  }
  return -1;
}

function readFence(line: string): Fence | null {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line);
  if (!mark?.[1]) return null;
  const info = line.slice(mark[0].length).trim();
  const char = mark[1].charAt(0);
  if (char === '`' && info.includes('`')) return null; // inline code
  return { char, length: mark[1].length, bare: info === '' };
}
