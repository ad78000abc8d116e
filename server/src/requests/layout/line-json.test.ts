import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../../test/house/seeded-random.ts';
import { bytesOfLines, linesOfBytes } from '../../documents/positions/line-bytes.ts';
import type { PackedLine, PackedWord } from '../../documents/positions/packed-line.ts';
import { atOnce } from '../../platform/turns/slices.ts';
import { jsonOfLines } from './line-json.ts';
import { unpackLine } from './unpack-lines.ts';

const TEXTS = [
  'word',
  '',
  ' ',
  '"quoted" \\ and \\u0041 / </script>',
  Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(code)).join(''),
  '\u007f\u0080\u009f\u00ad\u2028\u2029\ufeff\ufffd\ufffe\uffff',
  'Straße, ﬁrst, 図書館から, שלום, a\u0301',
  '𝒳😀👩‍👩‍👧 \u{10ffff}',
  '\ud800 alone, \udc00 too, \udc00\ud800 turned',
  'x'.repeat(70_000),
];
const NUMBERS = [0, -0, 1, 9, 10, 99, 100, 12_345, 50_000, 99_999, 100_000, 100_001, 123_456, 2_000_000, -1, -500];
const SPANS = [0, 1, 9, 10, 99, 100, 65_535, 65_536, 1_000_000_000, -3];
const CONFIDENCES = [null, 0, 1, 10, 500, 987, 999, 1000, 1001];

/** Lines of everything that may stand in one, by chance. */
function linesOf(seed: number): PackedLine[] {
  const random = new SeededRandom(seed);
  const one = <T>(values: readonly T[]): T => random.pick(values);
  const quad = () => {
    const [left, top, right, bottom] = [one(NUMBERS), one(NUMBERS), one(NUMBERS), one(NUMBERS)];
    const upright = [left, top, right, top, right, bottom, left, bottom];
    return random.below(10) < 6 ? upright : Array.from({ length: 8 }, () => one(NUMBERS));
  };
  const word = (): PackedWord => {
    const hasSpan = random.below(10) < 7;
    return [one(TEXTS), quad(), one(CONFIDENCES), hasSpan ? one(SPANS) : null, hasSpan ? one(SPANS) : null];
  };
  return Array.from({ length: 1 + random.below(5) }, () => {
    const words = Array.from({ length: random.below(5) }, word);
    const text = random.below(2) === 0 ? words.map(([inside]) => inside).join(' ') : one(TEXTS);
    return [text, quad(), one(CONFIDENCES), one([null, 0, 7, -1]), words];
  });
}

function written(bytes: Buffer, words: boolean): string {
  return Array.from(jsonOfLines(bytes, { words }), (line) => line.toString()).join('\n');
}

describe('lines as JSON, from their bytes', () => {
  it('are what JSON.stringify makes of them, whatever stands in them', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const bytes = atOnce(bytesOfLines(linesOf(seed)));
      for (const words of [true, false]) {
        const expected = Array.from(linesOfBytes(bytes), (line) => JSON.stringify(unpackLine(line, { words })));
        expect(written(bytes, words) === expected.join('\n'), `seed ${seed}, words ${words}`).toBe(true);
      }
    }
  });

  it('have every step of a fraction as it is', () => {
    const steps = Array.from({ length: 100_001 }, (_, step) => step);
    const words = steps.map(
      (step): PackedWord => ['', [step, step, step, step, step, step, step, step], step % 1001, step, step],
    );
    const bytes = atOnce(bytesOfLines([['', [0, 0, 0, 0, 0, 0, 0, 0], null, null, words]]));
    const [expected] = Array.from(linesOfBytes(bytes), (line) => JSON.stringify(unpackLine(line, { words: true })));
    expect(written(bytes, true) === expected).toBe(true);
  });
});
