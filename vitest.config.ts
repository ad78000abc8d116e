import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';

/** Which of the runs that `npm test` makes side by side this is (`scripts/run-tests.mjs`). */
const part = process.env['TEST_PART'] ?? 'all';
/** The folder where `.ci/run` wants the counts. */
const reports = process.env['TEST_REPORTS'];
/** How often a test that failed is tried again: never, unless `.ci/run` says so. */
const retry = Number(process.env['TEST_RETRIES'] ?? 0);

/** Files that take long, longest first: the last file to begin decides when a run ends. */
const LONG = [
  'durability/random-kills',
  'durability/kill-points',
  'durability/faults',
  'figures/figures',
  'desktop/console.',
  'processes/suspects',
  'isolation/locked-rows',
  'hostile/slow-documents',
  'dashboard/pages',
  'tesseract/adapter.',
  'dashboard/states',
  'dispatch/leases',
  'docs/running',
  'docs/operator',
  'desktop/requests',
  'desktop/operating',
  'dispatch/redis',
  'dispatch/traces',
  'neighbours/',
  'test/backup/',
  'embedded-postgres/src/crash',
  'hostile/stalled-bodies',
  'cli/read',
  'webhooks/announced',
  'jobs/large-pdf',
  'embedded-postgres/src/embedded-postgres',
  'dispatch/stop.',
  'processes/picture-processes',
  'dashboard/playground',
  'dashboard/openid',
  'dashboard/login',
];

/** As many as there are cores on the machines that this is made for: with three, browsers and slow documents run out of time. */
const WORKERS = 2;
/** Of files that wait most of their time: for leases and limits to run out, for processes to start and to come back. */
const WAITING_WORKERS = 4;

const DEMO = `${import.meta.dirname}/demo/src`;
const POSTGRES = `${import.meta.dirname}/embedded-postgres/src`;

/** Files that need a process of their own: they mock what others load, kill what others could need, or measure its garbage. */
const ALONE = [
  'test/durability/**/*.test.ts',
  'test/desktop/main.test.ts',
  'server/src/documents/processes/picture-child.test.ts',
  'server/src/platform/concurrency/in-flight.test.ts',
  'server/src/rest/compiled-document.test.ts',
  'server/test/database/answer-limit.test.ts',
];

const WAITING = [
  'embedded-postgres/src/{crash,embedded-postgres}.test.ts',
  'server/src/documents/processes/picture-processes.test.ts',
  'server/src/requests/store/wallet-retries.test.ts',
  'server/src/rest/body/receive-body.test.ts',
  'server/test/database/{replica,streaming-replica}.test.ts',
  'server/test/processes/{first-start,suspects}.test.ts',
  'test/cancel/{deletion,processes}.test.ts',
  'test/cli/{away,mcp-long}.test.ts',
  'test/dispatch/{leases,npm,pressure,read-only,redis,start-sentences,stop}.test.ts',
  'test/hostile/{slow-documents,slow-urls,stalled-bodies,unread-answers}.test.ts',
  'test/isolation/{locked-rows,lost-answers}.test.ts',
  'test/rest/accepted-prices.test.ts',
  'test/rest/createOcr/{200-include-meets,fallback-time,idempotency-refusals}.test.ts',
  'test/rest/createOcrOutput/422-503.test.ts',
  'test/rest/exportAccount/under-way.test.ts',
  'test/rest/jobs/large-pdf.test.ts',
  'test/rest/listOcrPages/200.test.ts',
  'test/rest/monitoring/refused-calls.test.ts',
  'test/webhooks/announced.test.ts',
];

/** Of console and dashboard: they come behind those that wait, so that both lines of `npm test` end at the same time. */
const CLIENTS = ['test/{desktop,dashboard}/**/*.test.ts'];

/** All others share processes, one after the other: what a process has loaded, and its `sharedHouse`, serve the next. */
const SHARING = [
  '{demo,embedded-postgres,server,cli,sdk/typescript,ui,desktop,dashboard}/src/**/*.test.ts',
  '{test,server/test}/**/*.test.ts',
];

/** Files with a process of their own first: a shared one ends when such a file is the next. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      return (project.config.isolate ? 0 : LONG.length + 1) + (at < 0 ? LONG.length : at);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Names the tests that passed only when they were tried again: each is a defect of its own. */
const SECOND_TRIES: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky)
      console.log(`passed at the second try: ${test.module.relativeModuleId}: ${test.fullName}`);
  },
};

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
/** The built product is as it is: of no use to transform. */
const server = { deps: { external: [/\/server\/dist\//] } };
const settings = { testTimeout: 180_000, hookTimeout: 120_000, retry, server };
/** Groups run one after the other. */
const first = { maxWorkers: WAITING_WORKERS, sequence: { groupOrder: 0 } };
const then = { maxWorkers: WORKERS, sequence: { groupOrder: 1 } };

export default defineConfig({
  ...common,
  test: {
    // Not handed down to the projects: there is one desk, and one cluster, for all of them.
    globalSetup: ['test/house/global-setup.ts'],
    server,
    pool: 'forks',
    sequence: { sequencer: LongFirst },
    reporters: reports ? ['default', SECOND_TRIES, ['json', { outputFile: `${reports}/${part}.json` }]] : ['default'],
    projects: [
      { ...common, test: { ...settings, ...first, name: 'alone', include: ALONE } },
      { ...common, test: { ...settings, ...first, name: 'waiting', include: WAITING, isolate: false } },
      {
        ...common,
        test: {
          ...settings,
          ...then,
          name: 'clients',
          include: CLIENTS,
          exclude: [...ALONE, ...WAITING, '**/node_modules/**'],
          isolate: false,
        },
      },
      {
        ...common,
        test: {
          ...settings,
          ...then,
          name: 'sharing',
          include: SHARING,
          exclude: [...ALONE, ...WAITING, ...CLIENTS, '**/node_modules/**'],
          isolate: false,
        },
      },
    ],
  },
});
