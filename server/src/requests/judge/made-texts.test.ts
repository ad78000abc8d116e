import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../../test/house/seeded-random.ts';
import type { Ending, Engine } from '../../engines/model/engine.ts';
import { unread } from '../../engines/model/reading.ts';
import type { PageResult } from '../read/page-result.ts';
import { judgePage, type Verdict } from './judge-page.ts';

const TEXTS = 1000;
const LOOPS = 100;
const WORDS =
  'harbour ledger window copper river margin winter silver garden meeting bottle corner market signal paper valley engine summer bridge station letter candle orchard mirror ticket lantern forest hammer carpet island'.split(
    ' ',
  );
const SCRIPTS = [
  '駅から港まで歩いて十分です',
  '请在窗口购买车票',
  'Стоимость доставки включена',
  'الرسوم مدفوعة مسبقا',
];

type Random = SeededRandom;
type Line = (random: Random, index: number) => string;

const words = (random: Random, count: number) => Array.from({ length: count }, () => random.pick(WORDS)).join(' ');
const money = (random: Random) => `${random.below(900)}.${String(random.below(100)).padStart(2, '0')}`;
const lines = (random: Random, count: number, line: Line) =>
  Array.from({ length: count }, (_, i) => line(random, i)).join('\n');

/** Kinds of honest texts, most of them with lines that differ in a number or a word alone. */
const HONEST: Readonly<Record<string, Line>> = {
  'numbered sentences': (_, i) => `row number ${i} of the list`,
  'numbered clauses': (_, i) => `${i + 1}. The supplier shall keep the records named in annex ${i + 1} for ten years.`,
  'serial numbers': (_, i) => `Serial number SN-00${10_000 + i} passed inspection on 2024-05-01`,
  'a table with pipes': (random, i) => `| ${i + 1} | ${words(random, 2)} | 0.00 | 0.00 | ${money(random)} |`,
  'a table of zeros with row numbers': (_, i) => `| Cost centre ${4000 + i} | 0.00 | 0.00 | 0.00 |`,
  'a table with tabs': (random, i) => `${i}\t${random.pick(WORDS)}\t${random.below(3)}\t${random.below(2)}`,
  'columns of figures': (random) => `${money(random)}   ${money(random)}   ${random.below(2)}`,
  'comma separated values': (random, i) => `${i},${random.pick(WORDS)},${random.below(10)},,,`,
  'a bank statement': (random, i) => `2026-01-${10 + (i % 20)} Card payment ${money(random)} EUR`,
  'a telephone list': (random, i) => `${random.pick(WORDS)} ${random.pick(WORDS)}, 555-${String(i).padStart(5, '0')}`,
  'a list of points': (random) => `- ${words(random, 2 + random.below(6))}`,
  'a checklist': (_, i) => `Question ${i + 1}: [ ] Yes [ ] No [ ] Not applicable`,
  'a table of contents': (random, i) =>
    `${i + 1}.${random.below(9)} ${words(random, 2)} ${'.'.repeat(40)} ${i * 3 + 1}`,
  'stanzas with a refrain': (random, i) =>
    i % 5 === 4 ? '\nAnd the tide came in again\n' : `The ${words(random, 2)} and the ${random.pick(WORDS)}`,
  'the same line with another end': (random) => `It is agreed between both parties that the ${words(random, 2)}`,
  code: (random, i) =>
    ['function f() {', '  {', `    total += ${random.pick(WORDS)}[${i}];`, '  }', '}']
      .join('\n')
      .replace('f()', `f${i}()`),
  'a hexadecimal dump': (_, i) => `${(i * 16).toString(16).padStart(8, '0')}: 0000 0000 0000 0000 0000 0000`,
  'a log': (random, i) =>
    `12:${10 + (i % 50)}:${10 + (i % 47)} INFO request ${i} took ${random.below(400)} ms, status 200`,
  prose: (random) => `${words(random, 8 + random.below(10))}. ${words(random, 6)}.`,
  'other scripts': (random, i) => `${i + 1} ${random.pick(SCRIPTS)} ${random.below(1000)}`,
};
const SIZES = [3, 12, 40, 100, 250, 400, 1000];
const LONG = 10_000;

/** What models write when they run in circles. */
const UNITS: Readonly<Record<string, (random: Random) => string>> = {
  'a word in one line': (random) => `${random.pick(WORDS)} `,
  'a line': (random) => `${words(random, 5)}\n`,
  'a paragraph': (random) => `${words(random, 12)}.\n${words(random, 9)}.\n\n`,
  'a sentence in one line': (random) => `The ${words(random, 6)} is ${random.pick(WORDS)}. `,
  'a table row': (random) => `| ${words(random, 2)} | ${money(random)} |\n`,
  'a group of table rows': (random) => `| ${words(random, 2)} | 1 |\n| ${words(random, 3)} | 2 |\n`,
  leaders: () => '.',
  'a sentence in another script': (random) => `${random.pick(SCRIPTS)}。`,
};
const DRIFTING: Readonly<Record<string, Line>> = {
  'a numbered sentence': (_, i) => `${i + 1}. The company shall provide the documents to the commission.`,
  'a dated row': (_, i) => `| ${i + 1} | 2024-01-${i % 28} | Deposit by transfer | ${100 + i}.00 |`,
};

/** Numbers that anybody can draw again: each text is named by its kind and its number. */
function honestTexts(): { name: string; text: string }[] {
  const random = new SeededRandom(20_261_122);
  const kinds = Object.entries(HONEST);
  return Array.from({ length: TEXTS }, (_, at) => {
    const [kind, line] = random.pick(kinds);
    const size = at < kinds.length ? LONG : random.pick(SIZES);
    const [, own] = at < kinds.length ? (kinds[at] ?? []) : [];
    const made = lines(random, size, own ?? line);
    return { name: `${at}: ${own ? kinds[at]?.[0] : kind}, ${size} lines`, text: made };
  });
}

function loops(): { name: string; text: string; capped: boolean }[] {
  const random = new SeededRandom(15);
  const exact = Object.entries(UNITS);
  const drifting = Object.entries(DRIFTING);
  return Array.from({ length: LOOPS }, (_, at) => {
    const before = `${lines(random, 1 + random.below(20), (r) => words(r, 9))}\n`;
    if (at % 5 === 4) {
      const [name, line] = random.pick(drifting);
      return { name: `${at}: ${name}`, text: before + lines(random, 30 + random.below(300), line), capped: true };
    }
    const [name, make] = random.pick(exact);
    const unit = make(random);
    const text = before + unit.repeat(Math.ceil((600 + random.below(8000)) / unit.length));
    const cutShort = random.below(2) === 1 ? random.below(unit.length) : 0;
    return { name: `${at}: ${name}`, text: text.slice(0, text.length - cutShort), capped: false };
  });
}

function judged(text: string, ending: Ending = { kind: 'ok' }): Verdict {
  const reading = unread({ ending, billed: 'yes' });
  const page = { number: 1, text, confidence: null, source: 'engine' } as const;
  const engine = {} as Engine; // nothing of it is looked at
  const result: PageResult = { number: 1, engine, latencyMs: 1, reading, page, blank: false, warnings: [] };
  return judgePage(result, { isLlm: true });
}

describe('judging the end of a text', () => {
  it('calls none of a thousand honest texts a loop, up to 10,000 lines each', () => {
    const called = honestTexts().filter(({ text }) => judged(text).kind !== 'read');
    expect(called.map(({ name }) => name)).toEqual([]);
  });

  it('finds at least 95 of a hundred loops', () => {
    const missed = loops().filter(({ text, capped }) => {
      const verdict = judged(text, capped ? { kind: 'truncated', message: 'Stopped at the limit.' } : { kind: 'ok' });
      return verdict.kind !== 'truncated' || !verdict.message.includes('loop');
    });
    expect(missed.length, missed.map(({ name }) => name).join('\n')).toBeLessThanOrEqual(5);
  });
});
