import { describe, expect, it } from 'vitest';
import { withNative } from './native-fields.ts';

const ours = { model: 'm', options: { temperature: 0, num_ctx: 8192 }, list: [1] };

describe('withNative', () => {
  it('lets the caller’s fields win, and merges objects that both have', () => {
    const native = { model: 'other', options: { temperature: 1, top_p: 0.5 }, list: [2], more: null };
    expect(withNative(ours, native)).toEqual({
      fields: { model: 'other', options: { temperature: 1, num_ctx: 8192, top_p: 0.5 }, list: [2], more: null },
      warnings: [],
    });
  });

  it('lets what is no object replace one', () => {
    expect(withNative(ours, { options: null }).fields['options']).toBeNull();
    expect(withNative(ours, { options: [1] }).fields['options']).toEqual([1]);
  });

  it('leaves streaming out, with a warning where it was asked for', () => {
    expect(withNative({}, { stream: false, stream_options: {} })).toEqual({ fields: {}, warnings: [] });
    expect(withNative({}, { stream: true }).warnings).toHaveLength(1);
  });
});
