import { expect, it } from 'vitest';
import { clean, say } from './say.ts';

it('what would steer a terminal, or end the line, is shown as it is written in JSON', () => {
  expect(clean('a\u001b[2J\nb\u009b1m\u007f\t.pdf')).toBe('a\\u001b[2J\\u000ab\\u009b1m\\u007f\\u0009.pdf');
  expect(clean('caf\udce9.pdf \ud83d')).toBe('caf\\xe9.pdf \\ud83d');
  expect(clean('ä 名 😀 \u0301')).toBe('ä 名 😀 \u0301');
});

it('a sentence stays on its line, whatever names it has', () => {
  const written: string[] = [];
  const output = { isTTY: false, write: (text: string) => written.push(text) > 0 };
  say('new\nline.pdf: succeeded', output);
  expect(written).toEqual(['new\\u000aline.pdf: succeeded\n']);
});
