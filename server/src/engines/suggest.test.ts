import { describe, expect, it } from 'vitest';
import { suggest } from './suggest.ts';

const KNOWN = [
  'tesseract',
  'pdf-text',
  'gpt-vision',
  'gpt-vision-mini',
  'claude-vision',
  'mistral-ocr',
  'easyocr',
  'ab',
];

describe('suggest', () => {
  const cases: [string, string[]][] = [
    ['tesserakt', ['tesseract']],
    ['TESSERACT', ['tesseract']],
    ['tesseract-5', ['tesseract']],
    ['gpt', ['gpt-vision', 'gpt-vision-mini']],
    ['gpt-vison', ['gpt-vision']],
    ['vision', ['gpt-vision', 'claude-vision', 'gpt-vision-mini']],
    ['pdftext', ['pdf-text']],
    ['mistralocr', ['mistral-ocr']],
    ['ac', ['ab']],
    ['zzzzzzzzzz', []],
    ['', []],
    ['   ', []],
  ];
  it.each(cases)('answers %j with %j', (id, expected) => {
    expect(suggest(id, KNOWN)).toEqual(expected);
  });

  it('never names more than three', () => {
    expect(
      suggest(
        'engine',
        Array.from({ length: 9 }, (_, i) => `engine-${i}`),
      ),
    ).toEqual(['engine-0', 'engine-1', 'engine-2']);
  });

  it('ends on a megabyte of an id', () => {
    expect(suggest(`tesseract${'x'.repeat(2 ** 20)}`, KNOWN)).toEqual(['tesseract']);
  });
});
