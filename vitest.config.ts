import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where `.ci/run` wants the counts. */
const report = process.env['TEST_REPORT'];

/** Files that take half a minute or more, longest first: the last file to begin decides when a run of two workers ends. */
const LONG = [
  'durability/random-kills',
  'docs/running',
  'dashboard/pages',
  'desktop/console.',
  'durability/kill-points',
  'durability/faults',
  'webhooks/announced',
];

const DEMO = `${import.meta.dirname}/demo/src`;
const POSTGRES = `${import.meta.dirname}/embedded-postgres/src`;

/** Their files share processes, one after the other: what a process has loaded, and its `sharedHouse`, serve the next. */
const SHARING = [
  '{demo,embedded-postgres,server,cli,sdk/typescript,ui,desktop,dashboard}/src/**/*.test.ts',
  'test/{rest,graphql,hostile}/**/*.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

const common = {
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
};
const times = { testTimeout: 180_000, hookTimeout: 120_000 };

export default defineConfig({
  ...common,
  test: {
    // Not handed down to the projects: there is one desk, and one cluster, for all of them.
    globalSetup: ['test/house/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        ...common,
        test: { ...times, name: 'alone', include: ['test/**/*.test.ts', 'server/test/**/*.test.ts'], exclude: SHARING },
      },
      { ...common, test: { ...times, name: 'sharing', include: SHARING, isolate: false, sequence: { groupOrder: 1 } } },
    ],
  },
});
