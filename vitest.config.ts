import { defineConfig } from 'vitest/config';

/** Where `.ci/run` wants the counts. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  // Vitest would load graphql's ESM build for our code and its CJS build for type-graphql: two realms.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{server,ui,desktop,dashboard}/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/house/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
