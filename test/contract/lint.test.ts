import { resolve } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, it } from 'vitest';

const OPENAPI = resolve(import.meta.dirname, '../../openapi/dist');

it.each(['openapi', 'dashboard'])('%s is clean by the recommended rules', async (name) => {
  // The licence is the owner's to choose; there is none to name yet.
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } });
  const problems = await lint({ ref: resolve(OPENAPI, `${name}.json`), config });
  expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
});
