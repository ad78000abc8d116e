import { expect, it } from 'vitest';
import { cancelWords } from './cancel-words.ts';

it('says what cancelling costs, which depends on whether the work has begun', () => {
  expect(cancelWords('queued', '$0.01')).toContain('nothing is charged, and $0.01 is released');
  expect(cancelWords('processing', '$0.05')).toMatch(/kept and charged at their price.*\$0\.05 is reserved/s);
});
