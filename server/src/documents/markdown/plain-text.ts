import { lineKinds } from './code-fences.ts';
import { readPipeTable } from './pipe-table.ts';
import { plainInline } from './plain-inline.ts';
import { withoutQuoteMarks } from './quote-marks.ts';
import { type Line, splitLines } from './split-lines.ts';

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
