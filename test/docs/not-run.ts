/** A block of commands or settings that no test runs as it stands, by how it begins, and what is tried in its place. */
interface NotRun {
  readonly page: string;
  readonly begins: string;
  readonly instead: string;
}

export const NOT_RUN: readonly NotRun[] = [
  { page: 'README.md', begins: 'npm ci && npm start', instead: 'npm start: test/dispatch/npm.test.ts' },
  { page: 'README.md', begins: 'export OCR_ROUTER_URL', instead: 'whoever runs the blocks has set both' },
  { page: 'README.md', begins: 'npm ci && npm test', instead: 'what runs the tests' },
  {
    page: 'docs/command-line.md',
    begins: 'ocr-router read scans ',
    instead: 'it asks, and needs an id: test/cli/read.test.ts',
  },
  {
    page: 'docs/command-line.md',
    begins: 'ocr-router mcp',
    instead: 'it serves until it is ended: test/cli/mcp.test.ts',
  },
  { page: 'docs/dashboard.md', begins: 'npm run desktop', instead: 'they serve until they are ended: test/desktop' },
  {
    page: 'docs/deployment.md',
    begins: 'npm ci && npm run build',
    instead: 'its last line: test/package/installation.ts',
  },
  {
    page: 'docs/deployment.md',
    begins: 'sudo apt-get',
    instead: 'both roles, over both: test/deploy/topology.test.ts',
  },
  { page: 'docs/deployment.md', begins: 'export DATABASE_URL', instead: 'as above' },
  {
    page: 'docs/deployment.md',
    begins: 'mkdir -p secrets',
    instead: 'there is no docker: test/deploy/topology.test.ts',
  },
  { page: 'docs/engines.md', begins: 'export ANTHROPIC_API_KEY', instead: 'an example of two settings' },
  { page: 'docs/metrics.md', begins: 'scrape_configs', instead: 'promtool' },
  { page: 'docs/start.md', begins: 'npm ci && npm start', instead: 'npm start: test/dispatch/npm.test.ts' },
  { page: 'docs/start.md', begins: 'export OCR_ROUTER_URL', instead: 'whoever runs the blocks has set both' },
  { page: 'docs/webhooks.md', begins: 'ALLOW_PRIVATE_CIDRS', instead: 'that setting: test/docs/running.test.ts' },
  {
    page: 'docs/webhooks.md',
    begins: 'OCR_WEBHOOK_SECRET',
    instead: 'the receiver, with a secret: test/docs/running.test.ts',
  },
];
