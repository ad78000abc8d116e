import { expect, it } from 'vitest';
import { type Key, ShortcutReader } from './shortcuts.ts';

it('opens a page by g and its letter', () => {
  expect(readAll('g', 'j')).toEqual([null, { kind: 'page', key: 'j' }]);
  expect(readAll('g', 'g', 'e')).toEqual([null, { kind: 'page', key: 'g' }, null]);
});

it('forgets a g after a while, and after any other key', () => {
  const reader = new ShortcutReader();
  reader.read(keyOf('g', { atMs: 0 }));
  expect(reader.read(keyOf('j', { atMs: 1500 }))).toEqual({ kind: 'move', key: 'j' });
  expect(readAll('g', 'Escape', 'e')).toEqual([null, { kind: 'escape' }, null]);
});

it('leaves a field its letters, but not Ctrl+K, Ctrl+digit and Escape', () => {
  const reader = new ShortcutReader();
  const inField = { inField: true };
  for (const key of ['g', 'j', '/', '?', 'Enter']) expect(reader.read(keyOf(key, inField)), key).toBeNull();
  expect(reader.read(keyOf('k', { ...inField, ctrlKey: true }))).toEqual({ kind: 'palette' });
  expect(reader.read(keyOf('3', { ...inField, metaKey: true }))).toEqual({ kind: 'profile', index: 2 });
  expect(reader.read(keyOf('Escape', inField))).toEqual({ kind: 'escape' });
});

it('knows the other keys, and takes nothing for one that it does not know', () => {
  expect(readAll('?', '/', 'f', 'k', 'Enter', 'x')).toEqual([
    { kind: 'help' },
    { kind: 'search' },
    { kind: 'wall' },
    { kind: 'move', key: 'k' },
    { kind: 'move', key: 'Enter' },
    null,
  ]);
  expect(new ShortcutReader().read(keyOf('0', { ctrlKey: true }))).toBeNull();
  expect(new ShortcutReader().read(keyOf('k', { altKey: true, ctrlKey: true }))).toBeNull();
});

function readAll(...keys: string[]) {
  const reader = new ShortcutReader();
  return keys.map((key) => reader.read(keyOf(key)));
}

function keyOf(key: string, part: Partial<Key> = {}): Key {
  return { key, ctrlKey: false, metaKey: false, altKey: false, inField: false, atMs: 0, ...part };
}
