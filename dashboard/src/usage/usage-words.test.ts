import { expect, it } from 'vitest';
import { notReadNote } from './usage-words.ts';

it('says of what is counted as not read which statuses it has', () => {
  expect([0, 1, 1080].map(notReadNote)).toEqual([
    'none failed, none was rejected',
    '1 failed or was rejected',
    '1,080 failed or were rejected',
  ]);
});
