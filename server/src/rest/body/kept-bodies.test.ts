import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { KeptBodies } from './kept-bodies.ts';

const MB = 1024 * 1024;

function response(): ServerResponse {
  return new EventEmitter() as ServerResponse; // all that is looked at
}

it('a party lets wait what takes a quarter of the memory, three times over, and others have their own', () => {
  const kept = new KeptBodies(1200 * MB); // a share of 100 MB
  const waiting = Array.from({ length: 10 }, response);
  for (const res of waiting) kept.keep(res, 'a', 10 * MB);
  expect(() => kept.keep(response(), 'a', 10 * MB)).toThrow(expect.objectContaining({ code: 'engine_unavailable' }));
  kept.keep(response(), 'b', 10 * MB);
  waiting[0]?.emit('close');
  kept.keep(response(), 'a', 10 * MB);
});

it('however little memory there is, two bodies of the largest size fit', () => {
  const kept = new KeptBodies(64 * MB);
  for (let i = 0; i < 2; i++) kept.keep(response(), 'a', 10 * MB);
  expect(() => kept.keep(response(), 'a', 10 * MB)).toThrow();
});
