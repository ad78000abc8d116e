import { describe, expect, it } from 'vitest';
import { hashKey, isKeyText, newKeyText, prefixOf } from './key-text.ts';

describe('API keys', () => {
  it('begin with sk-ocr- and end with a checksum over 32 random characters', () => {
    const key = newKeyText();
    expect(key).toMatch(/^sk-ocr-[0-9A-Za-z]{38}$/);
    expect(isKeyText(key)).toBe(true);
    expect(newKeyText()).not.toBe(key);
  });

  it('are refused with any one character changed, without asking the database', () => {
    const key = newKeyText();
    for (let at = 'sk-ocr-'.length; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(isKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it('are refused in other shapes', () => {
    for (const text of ['', 'sk-ocr-', 'sk-other-123', `${newKeyText()}x`, newKeyText().toUpperCase()]) {
      expect(isKeyText(text)).toBe(false);
    }
  });

  it('are stored as SHA-256 and shown by their first characters', () => {
    expect(hashKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(prefixOf('sk-ocr-ABCDEFGH')).toBe('sk-ocr-ABCD');
  });
});
