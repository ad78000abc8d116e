import { enumType } from '../../platform/enum-type.ts';

export const PageUnit = enumType('PageUnit', 'What a page’s size is counted in.', {
  point: 'A PDF’s points, 72 to the inch.',
  pixel: 'A picture’s pixels.',
});

export const TextPositions = enumType('TextPositions', 'What the positions of a page’s text are of.', {
  word: 'Words, and the lines that hold them.',
  line: 'Lines, or the pieces of them that the engine found.',
  block: 'Paragraphs and headings.',
  none: 'There are none.',
});
