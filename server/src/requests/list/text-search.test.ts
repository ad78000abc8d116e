import pg from 'pg';
import { expect, it } from 'vitest';
import { searchedText, TextSearch } from './text-search.ts';

it.each(['', ' ab ', 'x'.repeat(201)])('refuses a text that is too short or too long: %j', (text) => {
  expect(() => searchedText(text)).toThrow('filter.text: must have 3 to 200 characters.');
});

it('looks for a text without the blanks around it', () => {
  expect(searchedText(' HTTP 500 ')).toBe('HTTP 500');
});

it('searches one text after the other, and lets accounts take turns', async () => {
  const search = new TextSearch();
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const begun: string[] = [];
  const found = (party: string | null, name: string, rows: Promise<number[]>) =>
    search.rows(party, () => {
      begun.push(name);
      return rows;
    });
  const all = [
    found('one', 'first', promise),
    found('one', 'second', Promise.resolve([2])),
    found('one', 'third', Promise.resolve([3])),
    found(null, 'operator', Promise.resolve([4])),
  ];
  await new Promise(setImmediate);
  expect(begun).toEqual(['first']);
  resolve([1]);
  expect(await Promise.all(all)).toEqual([[1], [2], [3], [4]]);
  expect(begun.indexOf('operator')).toBeLessThan(begun.indexOf('third'));
});

it('says what makes a search shorter that the database has stopped', async () => {
  const stopped = new pg.DatabaseError('canceling statement due to statement timeout', 0, 'error');
  stopped.code = '57014';
  await expect(new TextSearch().rows(null, () => Promise.reject(stopped))).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/^The search took too long and was stopped\. Choose a shorter time/),
  });
});
