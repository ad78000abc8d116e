import { lineKinds } from './code-fences.ts';
import { readPipeTable } from './pipe-table.ts';
import { plainInline } from './plain-inline.ts';

interface Line {
  readonly text: string;
  /** `\n`, `\r\n`, `\r`, or nothing at the end of the text. */
  readonly ending: string;
}

/** Three marks make a rule that goes; `---` stands between pages and stays, longer lines are drawn by the document. */
const DROPPED_RULE = /^ {0,3}(?:\*\*\*|___|([-*_])[ \t]+\1[ \t]+\1)[ \t]*$/;
const HEADING_MARK = /^ {0,3}#{1,6}[ \t]+/;

/**
 * Markdown as plain text, by the eight conversion rules of the interface. Text that is already plain comes back
 * byte-identical: line ends, blank lines, list markers, underscores, links and pipe lines are text.
 */
export function plainText(markdown: string): string {
  const lines = splitLines(markdown);
  const kinds = lineKinds(lines.map((line) => line.text));
  const texts = withoutQuoteMarks(lines.map((line, i) => (kinds[i] === 'text' ? line.text : null)));
  const kept: Line[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const { text: raw, ending } = lines[i] ?? { text: '', ending: '' };
    const text = texts[i] ?? raw;
    if (kinds[i] === 'code') kept.push({ text: raw, ending });
    if (kinds[i] !== 'text' || DROPPED_RULE.test(text)) continue;
    const table = text.includes('|') ? readPipeTable(texts, i) : null;
    if (table) {
      for (const row of table.rows) kept.push({ text: row, ending });
      i += table.length - 1;
      continue;
    }
    kept.push({ text: plainInline(headingText(text) ?? text), ending });
  }
  return kept.map((line, i) => line.text + (i < kept.length - 1 ? line.ending : '')).join('');
}

function splitLines(text: string): Line[] {
  const parts = text.split(/(\r\n|\n|\r)/);
  const lines: Line[] = [];
  for (let i = 0; i < parts.length; i += 2) lines.push({ text: parts[i] ?? '', ending: parts[i + 1] ?? '' });
  return lines;
}

/** The text of an ATX heading; null for what is none. A marker without text (a column headed `#`) is text itself. */
function headingText(line: string): string | null {
  const mark = HEADING_MARK.exec(line);
  if (!mark) return null;
  const content = line.slice(mark[0].length);
  const trimmed = content.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end -= 1;
  const closed = end < trimmed.length && (end === 0 || /[ \t]/.test(trimmed[end - 1] ?? ''));
  const text = closed ? trimmed.slice(0, end).trimEnd() : content;
  return text.trim() === '' ? null : text;
}

/** Lines without the marks of block quotes; `>` needs a space behind it, or a quoted line before it. */
function withoutQuoteMarks(lines: readonly (string | null)[]): (string | null)[] {
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
