import { describe, expect, it } from 'vitest';
import { giveBack } from './give-back.ts';

describe('giveBack', () => {
  it('frees the memory of a large buffer at once', () => {
    const bytes = Buffer.alloc(8_000_000, 'x');
    const before = process.memoryUsage().arrayBuffers;
    giveBack(bytes);
    expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThanOrEqual(8_000_000);
    expect(bytes).toHaveLength(0);
  });

  it('leaves a part alone, of whose memory others may have the rest', () => {
    const whole = Buffer.alloc(100_000, 'x');
    giveBack(whole.subarray(0, 50_000));
    expect(whole.toString()).toBe('x'.repeat(100_000));
  });

  it('leaves a small one alone, whose memory others share', () => {
    const bytes = Buffer.from('a few bytes');
    const neighbour = Buffer.from('of others');
    giveBack(bytes);
    expect(bytes.toString()).toBe('a few bytes');
    expect(neighbour.toString()).toBe('of others');
  });
});
