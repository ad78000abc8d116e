import { describe, expect, it } from 'vitest';
import { makePdf } from '../../../../test/house/pdf.ts';
import { sniff } from './sniff.ts';

const PDF = makePdf([{ text: 'a page' }]);

describe('sniff', () => {
  it.each([
    ['png', '89504e470d0a1a0a0000000d49484452'],
    ['jpeg', 'ffd8ffe000104a464946'],
    ['jpeg', 'ffd8ffdb0043'],
    ['webp', '52494646aabb000057454250565038'],
    ['gif', '474946383961'],
    ['gif', '474946383761'],
    ['tiff', '49492a0008000000'],
    ['tiff', '4d4d002a00000008'],
    ['tiff', '49492b0008000000'],
    ['bmp', '424d36000000000000003600000028000000'],
    ['bmp', '424d36000000000000001a0000000c000000'],
  ])('tells %s by its first bytes', (format, hex) => {
    expect(sniff(Buffer.from(hex, 'hex'))).toBe(format);
  });

  it('finds the header of a PDF behind up to 1024 other bytes', () => {
    expect(sniff(PDF)).toBe('pdf');
    expect(sniff(Buffer.concat([Buffer.alloc(1024, 'x'), PDF]))).toBe('pdf');
    expect(sniff(Buffer.concat([Buffer.alloc(1025, 'x'), PDF]))).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['plain text that begins like a bitmap', 'BMW builds cars, and also motorcycles'],
    ['an SVG drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a web page', '<!doctype html><title>Sign in</title>'],
    ['a RIFF that is no picture', 'RIFF\x24\0\0\0WAVEfmt '],
    ['the first half of a magic number', '\x89PN'],
  ])('does not take %s for a document', (_, text) => {
    expect(sniff(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it('reads a view in the middle of a buffer', () => {
    expect(sniff(Buffer.concat([Buffer.from('GIF89a'), PDF]).subarray(6))).toBe('pdf');
  });
});
