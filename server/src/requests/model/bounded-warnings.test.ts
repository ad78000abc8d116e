import { describe, expect, it } from 'vitest';
import { boundedWarnings } from './bounded-warnings.ts';

describe('boundedWarnings', () => {
  it('keeps what is short', () => {
    const few = Array.from({ length: 80 }, (_, n) => `Warning ${n}.`);
    expect(boundedWarnings(few)).toEqual(few);
  });

  it('counts what is too much', () => {
    const many = boundedWarnings(Array.from({ length: 5000 }, (_, n) => `Warning ${n}.`));
    expect(many).toHaveLength(80);
    expect(many.slice(-2)).toEqual(['Warning 78.', '4921 more warnings were left out.']);
  });

  it('shortens what is too long, without half a character', () => {
    const [cut = ''] = boundedWarnings(['🙂'.repeat(10_000)]);
    expect(cut.length).toBeLessThanOrEqual(300);
    expect(cut.isWellFormed()).toBe(true);
    expect(boundedWarnings(['x'.repeat(300)])).toEqual(['x'.repeat(300)]);
  });
});
