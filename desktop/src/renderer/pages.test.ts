import { expect, it } from 'vitest';
import { followsRange, PAGES } from './pages.ts';

it('knows by its address whether a page goes by the time range', () => {
  expect(PAGES.filter(({ home }) => followsRange(home)).map(({ home }) => home)).toEqual([
    '/',
    '/engines',
    '/jobs',
    '/queue',
  ]);
  expect(followsRange('/engines/reader')).toBe(true);
  expect(['/accounts', '/settings', '/nowhere', '/jobsite'].map(followsRange)).toEqual([false, false, false, false]);
});
