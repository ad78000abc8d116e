import { expect, it } from 'vitest';
import { creditSearch, paletteActions } from './palette-actions.ts';
import { findItems } from './palette-items.ts';

const ENGINES = [
  { id: 'azure-read', name: 'Azure Read', enabled: true },
  { id: 'reader', name: 'Reader', enabled: false },
];

it('switches engines off and on, and probes them, by name', () => {
  const found = (query: string) => findItems(paletteActions(ENGINES), query).map(({ label, id }) => [label, id]);
  expect(found('disable')).toEqual([['Disable Azure Read', '/engines/azure-read?tab=settings&do=switch']]);
  expect(found('enable reader')).toEqual([['Enable Reader', '/engines/reader?tab=settings&do=switch']]);
  expect(found('probe azure')).toEqual([['Probe Azure Read now', '/engines/azure-read?tab=settings&do=probe']]);
});

it('tells whose account is to get credit', () => {
  const searches = ['credit ada@', 'Add credit to ada@example.com', 'credit ', 'credits ada', 'ada'].map(creditSearch);
  expect(searches).toEqual(['ada@', 'ada@example.com', null, null, null]);
});
