import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ADAPTERS } from '../../src/engines/adapters/registry.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/native-settings.md'), 'utf8');

it('lists for every adapter which native_settings pass, and which are reserved', () => {
  for (const { name, native } of ADAPTERS) {
    if (native === 'by the adapter') expect(PAGE).toContain(`\`${name}\` takes `);
    else expect(PAGE).toContain(`| \`${name}\` | ${list(native.passes)} | ${list(native.reserved)} |`);
  }
});

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
