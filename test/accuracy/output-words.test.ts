import { expect, it } from 'vitest';
import { bagOf, lostShare, placedShare, sameEdges, type WordOnPage } from '../../accuracy/output-words.ts';

it('counts no word as lost that is divided at the end of a line in one text alone', () => {
  expect(lostShare(bagOf('a func-\ntion of two-part\nwords'), bagOf('a function of two-part words'))).toBe(0);
});

it('counts words that are in pieces, or there less often, as lost', () => {
  expect(lostShare(bagOf('one one whole word'), bagOf('one wh ole word'))).toBe(0.5);
});

const word: WordOnPage = { page: 1, text: 'fox', left: 0.1, top: 0.2, right: 0.15, bottom: 0.22 };

it('counts a word as placed by its middle, and as the same by all four edges', () => {
  const wider = { ...word, left: 0.085, right: 0.165 };
  expect([placedShare([word], [wider]), sameEdges([word], [wider])]).toEqual([1, { both: 1, same: 0 }]);
  const near = { ...word, left: 0.109, top: 0.191 };
  expect(sameEdges([word], [wider, near])).toEqual({ both: 1, same: 1 });
});

it('compares words of the same page alone, and leaves out what one has alone', () => {
  const elsewhere = { ...word, page: 2 };
  expect([placedShare([word], [elsewhere]), sameEdges([word], [elsewhere])]).toEqual([0, { both: 0, same: 0 }]);
});
