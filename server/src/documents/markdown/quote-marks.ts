/** Lines without the marks of block quotes; `>` needs a space behind it, or a quoted line before it. */
export function withoutQuoteMarks(lines: readonly (string | null)[]): (string | null)[] {
  let quoting = false;
  return lines.map((line) => {
    const start = line === null ? 0 : quoteMarkEnd(line, quoting);
    quoting = start > 0;
    return line === null ? null : line.slice(start);
  });
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
