import { describe, expect, it } from 'vitest';
import { duplicateTail } from './duplicate-tail.ts';

const STANZA = 'The quick brown fox\njumps over\nthe lazy dog';
const SENTENCE = 'I will now repeat this sentence for as long as the output limit allows me to do so, and on.';
const ARTICLE = Array.from({ length: 40 }, (_, i) => `Paragraph ${i} speaks of ${(i * 7919) % 997} other things.`).join(
  '\n',
);

const repeated = (unit: string, times: number) => Array.from({ length: times }, () => unit).join('\n');
const numbered = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

describe('one exact repeat', () => {
  it.each([
    ['the whole text', `${STANZA}\n${STANZA}`],
    ['the end of a text', `${ARTICLE}\n${STANZA}\n${STANZA}\n`],
    ['with blank lines between', `${STANZA}\n\n\n${STANZA}\n\n`],
    ['with other line ends', `${STANZA}\r\n${STANZA}\r\n`.replaceAll(/(?<!\r)\n/g, '\r\n')],
  ])('is found as %s', (_name, text) => {
    expect(duplicateTail(text)).toEqual({ repeats: 2, lines: 3, text: STANZA });
  });

  it('is found in one long line', () => {
    expect(duplicateTail(`Title\n${SENTENCE}\n${SENTENCE}`)).toEqual({ repeats: 2, lines: 1, text: SENTENCE });
  });

  it.each([
    ['two short lines', 'Invoice 4711', 'Invoice 4711\nTotal 42.00', 2],
    ['one sentence', 'Title', 'Payable within thirty days.', 1],
  ])('is found of %s', (_name, before, block, lines) => {
    expect(duplicateTail(`${before}\n${block}\n${block}`)).toEqual({ repeats: 2, lines, text: block });
  });

  it('is the whole block where the block itself ends in equal lines', () => {
    expect(duplicateTail(repeated(`${STANZA}\n0\n0`, 2))).toEqual({ repeats: 2, lines: 5, text: `${STANZA}\n0\n0` });
  });

  it('counts the blank lines inside the block', () => {
    const block = `${STANZA}\n\nThe end`;
    expect(duplicateTail(`${block}\n\n${block}`)).toEqual({ repeats: 2, lines: 5, text: block });
  });
});

describe('a loop', () => {
  it.each([
    ['a block of lines', `${ARTICLE}\n${repeated(STANZA, 3)}`, 3],
    ['a long line', `Title\n${repeated(SENTENCE, 5)}`, 5],
    ['a phrase, line after line', repeated('and so it goes on and on', 3), 3],
    ['two short lines', repeated('Invoice 4711\nTotal 42.00', 3), 3],
    ['a line that is hardly a phrase', repeated('The same line.', 20), 20],
    ['a short line', repeated('Total', 60), 60],
    ['a phrase within a line', `It said: ${'the same thing again and '.repeat(4)}the same thing again and`, 5],
    ['a word within a line', `ha ${'ha '.repeat(60)}`, 60],
    ['a row of a table', `| a | b |\n|---|---|\n${repeated('| Deposit by transfer | 100.00 |', 40)}`, 40],
    ['leaders without an end', `Total ${'.'.repeat(4000)}`, 4000],
    ['rules without an end', repeated('-'.repeat(60), 200), 200],
    ['a character', `The number is ${'7'.repeat(500)}`, 500],
  ])('of %s is found', (_name, text, repeats) => {
    expect(duplicateTail(text)?.repeats).toBe(repeats);
  });

  it('that breaks off in the middle of a line is found within the line', () => {
    expect(duplicateTail(`${SENTENCE} `.repeat(6).slice(0, -30))).toMatchObject({ repeats: 5, lines: 1 });
  });

  it('of lines that breaks off in the middle of one is found', () => {
    expect(duplicateTail(`${repeated(STANZA, 4)}\nThe quick br`)).toEqual({ repeats: 4, lines: 3, text: STANZA });
  });
});

describe('an honest document', () => {
  const honest: [string, string][] = [
    ['nothing', ''],
    ['blank lines', '\n\n\n\n'],
    ['an article', ARTICLE],
    ['two equal short rows', 'Item  Qty\nTea  1\nTea  1'],
    ['the same invoice line twice', '| Tea | 1 | 2.50 |\n'.repeat(2)],
    ['a long invoice line three times', `| ${SENTENCE} | 1 | 2.50 |\n`.repeat(3)],
    ['a dozen equal receipt lines', repeated('Espresso 2.50', 12)],
    ['a table of equal cells', repeated('| 0 | 0 | 0 | 0 |', 20)],
    ['a row of equal cells', `| ${'not applicable in this case | '.repeat(6)}`],
    ['empty rows of a table', `| a | b |\n${repeated('|   |   |', 90)}`],
    ['cells read one to a line', repeated('Yes\nNo\nN/A', 5)],
    ['a timetable', repeated('| Mon | 9 to 12 |\n| Tue | 9 to 12 |\n| Wed | 13 to 17 |', 4)],
    ['a table of contents', numbered(60, (i) => `Chapter ${i + 1} ${'.'.repeat(60)} ${i * 7 + 3}`)],
    ['leaders at the end', `Introduction ${'. '.repeat(200)}`],
    ['blanks of a form', repeated('_'.repeat(60), 30)],
    ['fields of a form', repeated('Name: ____________________ Date: ____________', 12)],
    ['fields of a form in one line', 'Name ____________________ '.repeat(4)],
    ['three places to sign', repeated('Name: __________\nTitle: __________\nDate: __________', 3)],
    ['dotted places to fill in', repeated('Name of child .................... born ............', 5)],
    ['answers to tick', repeated('[ ] Yes [ ] No [ ] Not applicable', 8)],
    ['answers with boxes to tick', repeated('☐ Yes ☐ No ☐ Not applicable', 8)],
    ['the same item of a receipt', `CAFE\n${repeated('Espresso macchiato 3.20', 3)}`],
    ['the same item with its currency', `CAFE\n${repeated('1 x Espresso macchiato doppio 3,20 EUR', 5)}`],
    ['an attendance list', numbered(60, (i) => `${i + 1}. Name: ____________ Signature: ____________ Date: _______`)],
    ['a checklist', numbered(80, (i) => `Question ${i + 1}: [ ] Yes [ ] No [ ] Not applicable`)],
    ['a list of serial numbers', numbered(70, (i) => `Serial number SN-00${1000 + i} passed inspection on 2024-05-01`)],
    ['a bank statement', numbered(100, (i) => `| 2024-01-${10 + (i % 20)} | Card payment | ${(i * 37.13) % 500} |`)],
    [
      'a long table of zeros',
      numbered(300, (i) => `| Department account number ${i} | 0.00 | 0.00 | not applicable |`),
    ],
    ['a numbered list of 400 equal sentences', numbered(400, (i) => `row number ${i} of the list`)],
    [
      'clauses that begin alike',
      numbered(300, (i) => `${i + 1}. The company shall provide the documents to the commission`),
    ],
    ['a column of zeros, one to a line', repeated('0', 120)],
    ['rows of zeros', repeated('0.00 0.00 0.00 0.00', 120)],
    ['ruled lines', repeated('-'.repeat(48), 10)],
    ['a row of leaders', `Total ${'.'.repeat(490)}`],
    ['a run of one letter', `Sequence ${'A'.repeat(300)}`],
    ['equal rows in columns', repeated('Espresso doppio    2.50', 12)],
    ['a chorus that is not at the end', `${STANZA}\n${STANZA}\nAnd then it was over.`],
  ];
  it.each(honest)('with %s repeats nothing', (_name, text) => {
    expect(duplicateTail(text)).toBeNull();
  });
});

describe('hostile text', () => {
  it.each(['a', 'ab', '\n', 'a\n', ' ', 'a\n\n', '| \n', '👍', 'aab', 'a\nb\nc\n'])(
    'ends on a megabyte made of %j',
    (unit) => {
      const text = unit.repeat(2 ** 19 / unit.length);
      expect(duplicateTail(text)?.repeats ?? 2).toBeGreaterThanOrEqual(2);
      expect(duplicateTail(`${text}x\n${text}end`)?.repeats ?? 2).toBeGreaterThanOrEqual(2);
    },
  );
});
