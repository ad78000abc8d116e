import { expect, it } from 'vitest';
import { findItems, type PaletteItem } from './palette-items.ts';

const ITEMS: readonly PaletteItem[] = [
  { id: '1', group: 'Engines', label: 'Azure Read', words: 'azure-read azure' },
  { id: '2', group: 'Engines', label: 'Reader', words: 'reader acme' },
  { id: '3', group: 'Pages', label: 'Queue', words: 'g q' },
];

it('shows everything before anything is typed', () => {
  expect(findItems(ITEMS, '  ')).toEqual(ITEMS);
});

it('wants every word, in whatever order and case, and puts names that begin so first', () => {
  expect(findItems(ITEMS, 'READ').map(({ id }) => id)).toEqual(['2', '1']);
  expect(findItems(ITEMS, 'read azure').map(({ id }) => id)).toEqual(['1']);
  expect(findItems(ITEMS, 'read queue')).toEqual([]);
});
