import { expect, it } from 'vitest';
import { requestLook } from './request-look.ts';

it('draws what has not ended as open, and not as something of which nothing is known', () => {
  expect(['queued', 'processing', 'pending'].map(requestLook)).toEqual(['open', 'open', 'open']);
  const ended = ['succeeded', 'partial', 'failed', 'rejected', 'timeout', 'refunded', 'delivered', 'skipped'];
  expect(ended.map(requestLook)).toEqual([
    ...['healthy', 'degraded', 'down', 'down', 'down', 'degraded', 'healthy', 'disabled'],
  ]);
});

it('draws a word that it does not know as one of which nothing is known', () => {
  expect(requestLook('paused')).toBe('no-data');
});
