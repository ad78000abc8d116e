import { expect, it } from 'vitest';
import { senderSaw } from './sender-saw.ts';

it('names the error that a waiting sender got, and no outcome that was never sent', () => {
  const failed = { mode: 'sync', status: 'failed', outcome: 'refunded', errorCode: 'provider_error' };
  expect(senderSaw(failed)).toBe('the error provider_error');
  expect(senderSaw({ ...failed, errorCode: null })).toBe('refunded');
});

it('adds nothing where the outcome is the status', () => {
  expect(senderSaw({ mode: 'async', status: 'succeeded', outcome: 'succeeded', errorCode: null })).toBeNull();
});
