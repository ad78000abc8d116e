import { expect, it } from 'vitest';
import { onDisk, pathOf } from './path-bytes.ts';

it.each([
  ['a.pdf', 'a.pdf'],
  ['é 名 😀.pdf', 'é 名 😀.pdf'],
])('a name in UTF-8 is the text that it spells: %s', (name, text) => {
  expect(pathOf(Buffer.from(name))).toBe(text);
  expect(onDisk(text)).toBe(name);
});

it.each([
  ['caf\xe9.pdf', 'caf\udce9.pdf'],
  ['\xff\xfe\x80/a', '\udcff\udcfe\udc80/a'],
  ['\xc3\xa9\xe9', 'é\udce9'],
  ['\xed\xb3\xa9', '\udced\udcb3\udca9'], // a lone surrogate, as UTF-8 must not have it
  ['\xf0\x9f\x98', '\udcf0\udc9f\udc98'], // three bytes of a character of four
  ['\xf0\x9f\x98\x80\xf0', '😀\udcf0'],
])('each byte that is no UTF-8 stands for itself (%j)', (bytes, text) => {
  const name = Buffer.from(bytes, 'latin1');
  expect(pathOf(name)).toBe(text);
  expect(onDisk(text)).toEqual(name);
});
