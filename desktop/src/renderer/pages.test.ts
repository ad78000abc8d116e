import { expect, it } from 'vitest';
import { followsRange, PAGES, pageTitle } from './pages.ts';

it('knows by its address whether a page goes by the time range', () => {
  const follows = (address: string) => followsRange(...(address.split('?') as [string, string]));
  expect(PAGES.filter(({ home }) => follows(`${home}?`)).map(({ home }) => home)).toEqual([
    '/',
    '/engines',
    '/requests',
    '/queue',
    '/webhooks',
    '/accounts',
    '/alerts',
  ]);
  expect(['/engines/reader?', '/engines/reader?tab=requests', '/requests?tab=settings'].map(follows)).toEqual([
    true,
    true,
    true,
  ]);
  const others = [
    '/engines/reader?tab=uptime',
    '/engines/reader?tab=settings',
    '/accounts?tab=costs',
    '/settings?',
    '/nowhere?',
    '/requestsite?',
  ];
  expect(others.filter(follows)).toEqual([]);
});

it('names a page by what is open on it, and by itself', () => {
  expect(pageTitle('/', '')).toBe('Overview');
  expect(pageTitle('/engines', 'view=table')).toBe('Engines');
  expect(pageTitle('/engines/a%2Fb', '')).toBe('a/b · Engines');
  expect(pageTitle('/requests', 'request=ocr_1')).toBe('ocr_1 · Requests');
  expect(pageTitle('/engines/%zz', '')).toBe('Engines');
  expect(pageTitle('/nowhere', '')).toBe('No such page');
});
