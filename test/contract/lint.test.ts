import { resolve } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, it } from 'vitest';

const OPENAPI = resolve(import.meta.dirname, '../../openapi');

it.each(['openapi.yaml', 'dashboard.yaml'])('%s is clean by the recommended rules', async (file) => {
  // The licence is the owner's to choose; there is none to name yet.
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } });
  const problems = await lint({ ref: resolve(OPENAPI, file), config });
  expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
});
