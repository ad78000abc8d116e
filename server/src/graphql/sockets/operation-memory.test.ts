import { expect, it } from 'vitest';
import { OperationMemory } from './operation-memory.ts';

const MB = 1024 * 1024;

it('gives an account 16 MB, and as much again when it was given back, once', () => {
  const memory = new OperationMemory();
  const first = memory.take('a', 10 * MB);
  expect(memory.take('a', 7 * MB)).toBeNull();
  expect(memory.take('b', 7 * MB)).not.toBeNull();
  first?.release();
  first?.release();
  expect(memory.take('a', 16 * MB)).not.toBeNull();
  expect(memory.take('a', 1)).toBeNull();
});

it('counts small subscriptions for what they take beside their text', () => {
  const memory = new OperationMemory();
  let taken = 0;
  while (memory.take('a', 100) !== null) taken++;
  expect(taken).toBe(8192);
});
