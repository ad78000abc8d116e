import { expect, it } from 'vitest';
import { duration } from '../format/duration.ts';
import { TOOK } from './columns.tsx';
import { engineTimeText } from './engine-time.ts';

it('says that it is a sum where there are several pages', () => {
  expect(engineTimeText({ providerLatencyMs: 8400, pages: 3 })).toBe(`${duration(8400)}, all pages together`);
  expect(engineTimeText({ providerLatencyMs: 8400, pages: 1 })).toBe(duration(8400));
  expect(engineTimeText({ providerLatencyMs: null, pages: 3 })).toBe(duration(null));
});

it('says so of its column in a list', () => {
  expect(TOOK).toMatchObject({ header: 'Engine time', hint: expect.stringContaining('all pages together') });
});
