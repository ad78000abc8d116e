import { expect, it } from 'vitest';
import { followsRange, PAGES } from './pages.ts';

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
