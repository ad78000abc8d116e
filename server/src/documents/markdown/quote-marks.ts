/** Lines that are looked at in one go. */
const LINES = 1000;

/**
 * Takes the marks of block quotes off lines; a `>` is one where a space follows it, or the line before is quoted. Yields now and
 * then.
 */
export function* withoutQuoteMarks(lines: readonly (string | null)[]): Generator<void, (string | null)[]> {
  const without: (string | null)[] = [];
  let quoting = false;
  for (const line of lines) {
    const start: number = line === null ? 0 : quoteMarkEnd(line, quoting);
    quoting = start > 0;
    if (without.push(line === null ? null : line.slice(start)) % LINES === 0) yield;
  }
  return without;
}

function quoteMarkEnd(line: string, quoting: boolean): number {
  let end = 0;
  let at = /^ {0,3}/.exec(line)?.[0].length ?? 0;
  while (line[at] === '>') {
    at += 1;
    const spaced = line[at] === ' ' || line[at] === '\t';
    if (spaced) at += 1;
    if (spaced || (quoting && at === line.length)) end = at;
  }
  return end;
}
