import type { KeyboardEvent } from 'react';
import { expect, it } from 'vitest';
import { rowKeyHandler } from './row-keys.ts';

it.each([
  ['ArrowDown', 6],
  ['j', 6],
  ['ArrowUp', 4],
  ['k', 4],
  ['Home', 0],
  ['End', 19],
  ['PageDown', 15],
  ['PageUp', 0],
])('%s moves from the sixth of twenty rows to index %i', (key, index) => {
  expect(press(key, { activeIndex: 5 })).toEqual({ moved: [index], opened: [] });
});

it('stays within the rows, and begins at the first', () => {
  expect(press('ArrowDown', { activeIndex: 19 }).moved).toEqual([19]);
  expect(press('ArrowDown', { activeIndex: -1 }).moved).toEqual([0]);
});

it('opens the marked row by Enter, and nothing where none is marked', () => {
  expect(press('Enter', { activeIndex: 3 }).opened).toEqual([3]);
  expect(press('Enter', { activeIndex: -1 }).opened).toEqual([]);
});

it('leaves alone what a button in a cell or a shortcut wants', () => {
  expect(press('Enter', { activeIndex: 3, target: 'button' }).opened).toEqual([]);
  expect(press('k', { activeIndex: 3, ctrlKey: true }).moved).toEqual([]);
});

interface Press {
  readonly activeIndex: number;
  readonly target?: string;
  readonly ctrlKey?: boolean;
}

function press(key: string, { activeIndex, target = 'table', ctrlKey = false }: Press) {
  const moved: number[] = [];
  const opened: number[] = [];
  const handle = rowKeyHandler({
    rowCount: 20,
    activeIndex,
    onMove: (index) => moved.push(index),
    onOpen: (index) => opened.push(index),
  });
  const event = { key, target, currentTarget: 'table', ctrlKey, metaKey: false, altKey: false, preventDefault() {} };
  handle(event as unknown as KeyboardEvent); // only what the handler reads
  return { moved, opened };
}
