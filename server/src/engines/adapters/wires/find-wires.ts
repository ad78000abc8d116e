import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Wire } from './wire-type.ts';

const PROVIDERS = join(import.meta.dirname, '..');

/** The wire of every provider that has one: `wire.ts` in its folder. */
export const WIRES: readonly Wire[] = await Promise.all(
  readdirSync(PROVIDERS)
    .filter((provider) => existsSync(join(PROVIDERS, provider, 'wire.ts')))
    .map(async (provider) => {
      const found: { readonly wire: Wire } = await import(`../${provider}/wire.ts`);
      return found.wire;
    }),
);
