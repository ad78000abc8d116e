import { expect, it } from 'vitest';
import { brokenPageText } from './broken-page.ts';

it.each([
  'Failed to fetch dynamically imported module: http://localhost/assets/usage-page-BxY.js',
  'error loading dynamically imported module: http://localhost/assets/usage-page-BxY.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/usage-page-CPc.css',
])('says of a page whose code is gone what may have happened: %s', (message) => {
  expect(brokenPageText(new TypeError(message))).toContain('has been updated');
});

it('leaves any other failure its own words', () => {
  expect(brokenPageText(new Error('x is not a function'))).toBe('x is not a function');
});
