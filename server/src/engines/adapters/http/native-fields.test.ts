import { describe, expect, it } from 'vitest';
import { withNative } from './native-fields.ts';

const ours = { model: 'm', options: { temperature: 0, num_ctx: 8192 }, list: [1] };

describe('withNative', () => {
  it('lets the caller’s fields win, and merges objects that both have', () => {
    const native = { seed: 1, options: { temperature: 1, top_p: 0.5 }, list: [2], more: null };
    expect(withNative(ours, native)).toEqual({
      model: 'm',
      seed: 1,
      options: { temperature: 1, num_ctx: 8192, top_p: 0.5 },
      list: [2],
      more: null,
    });
  });

  it('lets what is no object replace one', () => {
    expect(withNative(ours, { options: null })['options']).toBeNull();
    expect(withNative(ours, { options: [1] })['options']).toEqual([1]);
  });
});
