import { describe, expect, it } from 'vitest';
import { decodeBase64 } from './base64.ts';

const STRICT = /^[A-Za-z0-9+/]+={0,2}$/;

describe('decodeBase64', () => {
  it('decodes every length of input', () => {
    for (let length = 1; length < 70; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37 + length) % 256));
      expect(decodeBase64(bytes.toString('base64'))).toEqual(bytes);
    }
  });

  it('accepts line breaks, as mail programs write them', () => {
    const bytes = Buffer.alloc(500, 'abc');
    const lines = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
    expect(decodeBase64(`${lines}\n`)).toEqual(bytes);
  });

  it.each([
    ['nothing', ''],
    ['only line breaks', '\r\n\r\n'],
    ['a data: prefix', 'data:image/png;base64,QUJD'],
    ['a data: prefix of a length that would fit', 'data:;base64,QUJDQUJDQUJDQUE'],
    ['the URL-safe alphabet', 'QU-_'],
    ['missing padding', 'QUI'],
    ['too much padding', 'Q==='],
    ['only padding', '===='],
    ['padding in the middle', 'QQ==QUJD'],
    ['text after the padding', 'QUI=QUI='],
    ['a space', 'QUJD QUJ'],
    ['a tab', 'QUJ\tQUJD'],
    ['a foreign character', 'QUJ*'],
    ['a character whose low byte is in the alphabet', 'QUJ\u0141'],
    ['the same beyond Latin', 'QUJ\u4141'],
    ['a null character', 'QUJ\0'],
  ])('refuses %s', (_, text) => {
    expect(decodeBase64(text)).toBeNull();
  });

  it('agrees with the definition of base64 on texts of all kinds', () => {
    const alphabet = 'ABYZabyz019+/=-_ *\u0141é';
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    let accepted = 0;
    for (let round = 0; round < 20_000; round++) {
      const length = 4 * (1 + random(5));
      const valid = Array.from({ length }, () => 'ABCD'[random(4)]).join('');
      const at = random(length);
      const text =
        random(3) === 0 ? valid : valid.slice(0, at) + (alphabet[random(alphabet.length)] ?? '') + valid.slice(at + 1);
      const strict = STRICT.test(text);
      expect(decodeBase64(text) !== null, text).toBe(strict);
      if (strict) accepted++;
    }
    expect(accepted).toBeGreaterThan(1000);
  });

  it('decodes a document of several megabytes', () => {
    const bytes = Buffer.alloc(3_000_001, 'pixels');
    expect(decodeBase64(bytes.toString('base64'))?.equals(bytes)).toBe(true);
  });
});
