import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { SaidToRequest } from './provider-word-store.ts';
import { ProviderWords } from './provider-words.job.ts';

const AT = Date.parse('2026-11-26T12:00:00Z');
const after = (ms: number) => new Date(AT + ms);

function open() {
  const written: [string, SaidToRequest][][] = [];
  let isDown = false;
  const store = {
    write: async (said: ReadonlyMap<string, SaidToRequest>) => {
      if (isDown) throw new Error('no database');
      written.push([...said]);
    },
    forget: async () => undefined,
  };
  const words = new ProviderWords(store, pino({ level: 'silent' }));
  return { words, written, down: (is: boolean) => (isDown = is) };
}

it('writes the newest words of an engine once, and the same ones again after a minute', async () => {
  const { words, written } = open();
  words.note('a', { fault: 'rate_limited', words: 'slow down', requestId: 'ocr_1' }, after(0));
  words.note('a', { fault: 'credentials_refused', words: 'no such key', requestId: 'ocr_1' }, after(1));
  await words.write();
  expect(written).toEqual([
    [['a', { fault: 'credentials_refused', words: 'no such key', requestId: 'ocr_1', at: after(1) }]],
  ]);
  for (let ms = 2; ms < 1000; ms++)
    words.note('a', { fault: 'credentials_refused', words: 'no such key', requestId: 'ocr_1' }, after(ms));
  await words.write();
  expect(written).toHaveLength(1);
  words.note('a', { fault: 'credentials_refused', words: 'no such key', requestId: 'ocr_1' }, after(60_001));
  await words.write();
  expect(written).toHaveLength(2);
});

it('writes that a provider said nothing: what it said before is not of this failure', async () => {
  const { words, written } = open();
  words.note('a', { fault: 'no_credit', words: 'top up', requestId: 'ocr_1' }, after(0));
  await words.write();
  words.note('a', { fault: 'no_credit', words: '', requestId: 'ocr_1' }, after(1));
  await words.write();
  expect(written[1]).toEqual([['a', { fault: 'no_credit', words: '', requestId: 'ocr_1', at: after(1) }]]);
});

it('keeps what could not be written, without what a column cannot hold', async () => {
  const { words, written, down } = open();
  down(true);
  words.note('a', { fault: 'no_credit', words: 'top\0 up', requestId: 'ocr_1' }, after(0));
  await expect(words.write()).rejects.toThrow('no database');
  down(false);
  await words.write();
  expect(written).toEqual([[['a', { fault: 'no_credit', words: 'top up', requestId: 'ocr_1', at: after(0) }]]]);
});

it('writes what was said last, also where the same had been written and something else was on its way meanwhile', async () => {
  const { words, written } = open();
  words.note('a', { fault: 'no_credit', words: 'top up', requestId: 'ocr_1' }, after(0));
  await words.write();
  words.note('a', { fault: 'rate_limited', words: 'slow down', requestId: 'ocr_1' }, after(1));
  const writing = words.write();
  words.note('a', { fault: 'no_credit', words: 'top up', requestId: 'ocr_1' }, after(2));
  await writing;
  await words.write();
  expect(written.map((each) => each[0]?.[1].words)).toEqual(['top up', 'slow down', 'top up']);
});

it('writes what was said just before the process ends', async () => {
  const { words, written } = open();
  words.note('a', { fault: 'no_credit', words: 'top up', requestId: 'ocr_1' }, after(0));
  await words[Symbol.asyncDispose]();
  expect(written).toHaveLength(1);
});
