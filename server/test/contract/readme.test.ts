import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { describeSettings } from '../../src/platform/config.ts';
import { SECRET_SETTINGS } from '../../src/platform/settings/secret-files.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const README = readFileSync(resolve(ROOT, 'README.md'), 'utf8');

it('lists every setting in the README with its default and what it does', () => {
  const settings = describeSettings();
  expect(settings.length).toBeGreaterThan(15);
  for (const { name, default: fallback, description } of settings) {
    expect(README).toContain(`| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${description} |`);
  }
});

it.each(['README.md', 'docs/settings.md'])('%s names the settings that can stand in files', (path) => {
  const text = readFileSync(resolve(ROOT, path), 'utf8');
  const [, list = ''] = /The secret ones\s+\(([^)]*)\) can stand in files/.exec(text) ?? [];
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual([...SECRET_SETTINGS].toSorted());
});
