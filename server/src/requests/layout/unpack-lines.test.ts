import { expect, it } from 'vitest';
import type { PlacedLine } from '../../documents/formats/document.ts';
import { linesOfBytes } from '../../documents/positions/line-bytes.ts';
import { packLines } from '../../documents/positions/pack-lines.ts';
import type { PackedLine } from '../../documents/positions/packed-line.ts';
import { quadOf } from '../../engines/model/page-layout.ts';
import { atOnce } from '../../platform/turns/slices.ts';
import { unpackLines } from './unpack-lines.ts';

function packed(lines: readonly PlacedLine[], text: string): PackedLine[] {
  return [...linesOfBytes(atOnce(packLines(lines, text)))];
}

const box = (left: number) => quadOf({ left, top: 0.1, width: 0.1, height: 0.02 });
const LINE = {
  text: 'Invoice 0042',
  box: quadOf({ left: 0.1, top: 0.1, width: 0.3, height: 0.02 }),
  confidence: 0.96,
  block: 1,
  words: [
    { text: 'Invoice', box: box(0.1), confidence: 0.97 },
    { text: '0042', box: box(0.3), confidence: null },
  ],
};

it('comes back with five decimals, spans, and without what the engine did not say', () => {
  const [line] = unpackLines(packed([LINE], 'Invoice 0042'), { words: true });
  expect(line).toEqual({
    text: 'Invoice 0042',
    polygon: [0.1, 0.1, 0.4, 0.1, 0.4, 0.12, 0.1, 0.12],
    confidence: 0.96,
    block: 1,
    words: [
      { text: 'Invoice', polygon: [0.1, 0.1, 0.2, 0.1, 0.2, 0.12, 0.1, 0.12], confidence: 0.97, span: [0, 7] },
      { text: '0042', polygon: [0.3, 0.1, 0.4, 0.1, 0.4, 0.12, 0.3, 0.12], span: [8, 12] },
    ],
  });
});

it('leaves words out where lines alone are asked for', () => {
  const [line] = unpackLines(packed([{ ...LINE, block: null, confidence: null }], ''), { words: false });
  expect(Object.keys(line ?? {})).toEqual(['text', 'polygon']);
});

it.each([
  ['Japanese, which has no blanks between words', ['図書', '館', 'から'], '図書館から', '図書館から'],
  ['a point that the engine tells as a word', ['the', 'dog', '.'], 'the dog.', 'the dog.'],
  ['words that do not stand in the text', ['the', 'cat'], 'a dog', 'the cat'],
])('joins the words of a line as its page does: %s', (_, words, text, expected) => {
  const line = {
    ...LINE,
    text: words.join(' '),
    words: words.map((word) => ({ text: word, box: box(0.1), confidence: 1 })),
  };
  expect(unpackLines(packed([line], `above\n${text}`), { words: true })[0]?.text).toBe(expected);
});

it('leaves the text of a line to an engine that tells it', () => {
  const line = { ...LINE, text: 'Invoice:0042' };
  expect(unpackLines(packed([line], 'Invoice 0042'), { words: true })[0]?.text).toBe('Invoice:0042');
});

it('takes less than 20 kB for a page of 500 words', () => {
  const words = Array.from({ length: 10 }, () => LINE.words)
    .flat()
    .map((word) => ({ ...word, confidence: 0.913 }));
  const text = words.map((word) => word.text).join(' ');
  const lines = Array.from({ length: 25 }, () => ({ ...LINE, text, words }));
  const bytes = atOnce(packLines(lines, Array(25).fill(text).join('\n'))).length;
  expect(bytes).toBeLessThan(20_000);
});

it('holds nothing that no text column holds', () => {
  const broken = { ...LINE, text: 'a\u0000b\ud800', words: [{ ...LINE.words[0], text: '\u0000x' }] } as typeof LINE;
  expect(JSON.stringify(packed([broken], 'ab x'))).not.toMatch(/\\u0000|\\ud800/);
});
