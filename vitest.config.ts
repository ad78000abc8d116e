import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where `.ci/run` wants the counts. */
const report = process.env['TEST_REPORT'];

/** Files that take half a minute or more, longest first: the last file to begin decides when a run of two workers ends. */
const LONG = [
  'durability/random-kills',
  'dashboard/pages',
  'desktop/console.',
  'durability/kill-points',
  'durability/faults',
  'webhooks/announced',
];

const DEMO = `${import.meta.dirname}/demo/src`;
const POSTGRES = `${import.meta.dirname}/embedded-postgres/src`;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  // Vitest would load graphql's ESM build for our code and its CJS build for type-graphql: two realms.
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: 'graphql/index.js' },
      // Their sources, so that a change is tested without a build.
      { find: /^@ocr-router\/demo$/, replacement: `${DEMO}/seed-demo.ts` },
      { find: /^@ocr-router\/embedded-postgres$/, replacement: `${POSTGRES}/embedded-postgres.ts` },
      { find: /^@ocr-router\/embedded-postgres\/error$/, replacement: `${POSTGRES}/error.ts` },
    ],
  },
  test: {
    include: [
      '{demo,embedded-postgres,server,cli,sdk/typescript,ui,desktop,dashboard}/src/**/*.test.ts',
      'server/test/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    globalSetup: ['test/house/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
