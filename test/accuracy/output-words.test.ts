import { expect, it } from 'vitest';
import { bagOf, lostShare } from '../../accuracy/output-words.ts';

it('counts no word as lost that is divided at the end of a line in one text alone', () => {
  expect(lostShare(bagOf('a func-\ntion of two-part\nwords'), bagOf('a function of two-part words'))).toBe(0);
});

it('counts words that are in pieces, or there less often, as lost', () => {
  expect(lostShare(bagOf('one one whole word'), bagOf('one wh ole word'))).toBe(0.5);
});
