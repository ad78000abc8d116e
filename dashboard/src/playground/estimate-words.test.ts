import { describe, expect, it } from 'vitest';
import type { Estimate } from './estimate-document.ts';
import { allPagesOf, estimateNotes, pagesText } from './estimate-words.ts';

const ESTIMATE: Estimate = {
  object: 'estimate',
  engine: 'reader',
  pages_total: 5,
  pages: 1,
  billed_pages: 1,
  reserved_usd: 0.01,
  worst_case_usd: 0.01,
  token_priced: false,
  covered: true,
  balance_usd: 3,
  budget_remaining_usd: null,
  obstacle: null,
  alternatives: [],
  warnings: [],
};
const words = (more: Partial<Estimate>) => estimateNotes({ ...ESTIMATE, ...more }).map((note) => note.words);

describe('what a document would cost', () => {
  it('says how many of its pages would be read', () => {
    expect(pagesText(ESTIMATE)).toBe('1 of 5 pages');
    expect(pagesText({ ...ESTIMATE, pages: 5 })).toBe('5 pages');
    expect(pagesText({ ...ESTIMATE, pages: 1, pages_total: 1 })).toBe('1 page');
  });

  it('offers the other pages, as many as the engine reads, unless pages were chosen', () => {
    expect(allPagesOf(ESTIMATE, { mostPages: 20, isRange: false })).toBe(5);
    expect(allPagesOf(ESTIMATE, { mostPages: 3, isRange: false })).toBe(3);
    expect(allPagesOf(ESTIMATE, { mostPages: 20, isRange: true })).toBeNull();
    expect(allPagesOf({ ...ESTIMATE, pages: 5 }, { mostPages: 20, isRange: false })).toBeNull();
    expect(allPagesOf({ ...ESTIMATE, pages: 3 }, { mostPages: 3, isRange: false })).toBeNull();
  });

  it('is silent where there is nothing to say', () => {
    expect(words({})).toEqual([]);
  });

  it('tells of pages that are billed for nothing, of the worst case, and of what does not cover it', () => {
    expect(words({ billed_pages: 9 })).toEqual(['9 pages are billed: as many as were asked for.']);
    expect(words({ worst_case_usd: 0.05 })).toEqual(['No outcome costs more than $0.05.']);
    expect(words({ worst_case_usd: null })).toEqual([]);
    expect(words({ covered: false, balance_usd: 0 })).toEqual([
      'Your balance of $0.00 does not cover it: whoever runs this gateway can add to it.',
    ]);
    expect(words({ obstacle: { code: 'disabled', message: 'It is switched off.' } })).toEqual([
      'It takes no requests now: It is switched off.',
    ]);
    expect(words({ text_layer_pages: 4, scanned_pages: 1 })).toEqual([
      '1 page of it is a picture of text, 4 have text of their own.',
    ]);
  });
});
