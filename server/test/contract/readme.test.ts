import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { describeSettings } from '../../src/platform/config.ts';

const README = readFileSync(resolve(import.meta.dirname, '../../../README.md'), 'utf8');

it('lists every setting in the README with its default and what it does', () => {
  const settings = describeSettings();
  expect(settings.length).toBeGreaterThan(15);
  for (const { name, default: fallback, description } of settings) {
    expect(README).toContain(`| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${description} |`);
  }
});
