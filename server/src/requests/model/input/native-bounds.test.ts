import { describe, expect, it } from 'vitest';
import { boundedNative, NATIVE_BYTES, NATIVE_DEPTH } from './native-bounds.ts';

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level++) value = level % 2 ? { a: [value] } : { b: value };
  return value;
}

function chain(levels: number): Record<string, unknown> {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
}

describe('boundedNative', () => {
  it('hands on what is within the bounds', () => {
    for (const native of [{}, { temperature: 0.5, stop: ['a', null] }, chain(NATIVE_DEPTH)]) {
      expect(boundedNative(native)).toBe(native);
    }
  });

  it.each([NATIVE_DEPTH + 1, 1000, 1_000_000])('refuses %i levels', (levels) => {
    expect(() => boundedNative(chain(levels))).toThrow(/^native_settings: is (nested|larger)/);
  });

  it('counts lists as levels', () => {
    expect(() => boundedNative(nested(NATIVE_DEPTH))).toThrow(/nested more than 20 deep/);
  });

  it('counts bytes of JSON, not characters', () => {
    const frame = JSON.stringify({ a: '' }).length;
    expect(boundedNative({ a: 'x'.repeat(NATIVE_BYTES - frame) })).toBeTruthy();
    expect(() => boundedNative({ a: 'x'.repeat(NATIVE_BYTES - frame + 1) })).toThrow(/16 kB/);
    expect(() => boundedNative({ a: 'é'.repeat(NATIVE_BYTES - frame) })).toThrow(/16 kB/);
    expect(() => boundedNative({ a: '\u0001'.repeat(NATIVE_BYTES / 2) })).toThrow(/16 kB/);
  });

  it.each([
    ['a long list', { a: Array.from({ length: 1_000_000 }, () => 0) }],
    ['many names', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`n${n}`, n]))],
    ['long names', { ['x'.repeat(NATIVE_BYTES)]: 1 }],
  ])('refuses %s', (_name, native) => {
    expect(() => boundedNative(native)).toThrow(/16 kB/);
  });
});
