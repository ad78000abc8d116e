import { expect, it } from 'vitest';
import { accountAction, accountItems, paletteActions } from './palette-actions.ts';
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

it('tells what failed from what was not read, which rejected requests are, too', () => {
  const found = (query: string) => findItems(paletteActions([]), query).map(({ label, id }) => [label, id]);
  expect(found('that failed')).toEqual([['Requests that failed', '/requests?status=failed']]);
  expect(found('not read')).toEqual([['Requests not read', '/requests?status=failed,rejected']]);
});

it('tells what is to be done to whose account', () => {
  const actions = ['credit ada@', 'Add credit to ada@example.com', 'credit ', 'credits ada', 'ada'].map(accountAction);
  expect(actions).toEqual([
    { verb: 'credit', search: 'ada@' },
    { verb: 'credit', search: 'ada@example.com' },
    ...[null, null, null],
  ]);
  expect(['revoke ada@', 'Revoke key of ada@', 'revoked ada'].map(accountAction)).toEqual([
    { verb: 'revoke', search: 'ada@' },
    { verb: 'revoke', search: 'ada@' },
    null,
  ]);
});

it('names an account’s keys that can be revoked, each with its own question', () => {
  const key = { label: 'scanner', prefix: 'sk-ocr-aaaa', revokedAt: null };
  const account = {
    ...{ id: 'a1', email: 'ada@example.com', balance: { available: 12.5 } },
    keys: [
      { ...key, id: 'key_1' },
      { ...key, id: 'key_2', label: null, prefix: 'sk-ocr-bbbb' },
      { ...key, id: 'key_3', revokedAt: '2026-11-20T10:00:00Z' },
    ],
  };
  expect(accountItems(account, 'revoke').map(({ id, label }) => [id, label])).toEqual([
    ['/accounts?account=a1&do=revoke-key_1', 'Revoke scanner of ada@example.com'],
    ['/accounts?account=a1&do=revoke-key_2', 'Revoke sk-ocr-bbbb… of ada@example.com'],
  ]);
  expect(accountItems(account, null)).toMatchObject([{ id: '/accounts?account=a1', label: 'ada@example.com' }]);
  expect(accountItems(account, 'credit')).toMatchObject([{ id: '/accounts?account=a1&do=credit' }]);
});
