import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');
const CHART = join(ROOT, 'deploy/helm/ocr-router');
const read = (file: string) => readFileSync(join(CHART, file), 'utf8');

const SETTINGS = new Set(
  [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name),
);

type Values = Record<string, unknown>;
const values = parse(read('values.yaml')) as Values;
const accepts = new Ajv({ strict: false }).compile({
  ...(JSON.parse(read('values.schema.json')) as object),
  $schema: undefined,
});

describe('the values', () => {
  it('of the chart are within its schema', () => {
    expect(accepts(values), JSON.stringify(accepts.errors)).toBe(true);
  });

  it.each<[string, Values]>([
    ['a name that the chart does not know', { workers: {} }],
    ['a figure as a setting, which would be rounded', { settings: { MAX_QUEUED: 1_000_000 } }],
    ['no worker at all', { worker: { replicas: 0 } }],
  ])('are refused for %s', (_what, more) => expect(accepts({ ...values, ...more })).toBe(false));

  it('stand in the README', () => {
    const readme = read('README.md');
    expect(Object.keys(values).filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
  });
});

it('the templates set only what the service knows', () => {
  const templates = readdirSync(join(CHART, 'templates'))
    .map((file) => read(`templates/${file}`))
    .join('\n');
  const named = [...templates.matchAll(/^ *- name: ([A-Z][A-Z_]+)$/gm)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !SETTINGS.has(name.replace(/_FILE$/, '')) && !SETTINGS.has(name))).toEqual([]);
});

it('the query of the scaler asks a table that there is', () => {
  const [, table = ''] = /query: select count\(\*\) from (\w+)/.exec(read('templates/worker-autoscaling.yaml')) ?? [];
  const folder = join(ROOT, 'server/src/database/migrations');
  const migrations = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(migrations.some((text) => text.includes(`create table ${table} (`))).toBe(true);
});

interface Container {
  readonly args: string[];
  readonly env: { readonly name: string }[];
  readonly volumeMounts: { readonly name: string; readonly mountPath: string }[];
  readonly ports?: { readonly name: string }[];
  readonly readinessProbe?: { readonly httpGet: { readonly port: string } };
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Record<string, string>;
  readonly spec?: {
    readonly replicas?: number;
    readonly rules?: { readonly host: string }[];
    readonly template?: {
      readonly spec: { readonly containers: Container[]; readonly volumes: { readonly name: string }[] };
    };
  };
}

const HELM = spawnSync('helm', ['version', '--short']).status === 0;
if (!HELM) console.log('skipped: helm is not installed');
describe.skipIf(!HELM)('helm', () => {
  const IMAGE = { image: { repository: 'registry.example.com/ocr-router' } };
  const SECRET = { existingSecret: 'ocr-router' };
  /** `more` are values beside those of the chart. */
  const helm = (args: readonly string[], more: Values = {}) =>
    spawnSync('helm', [...args, '--values', '-'], { encoding: 'utf8', input: JSON.stringify(more) });
  const template = (more: Values) => helm(['template', 'ocr', CHART, '--kube-version', '1.30.0'], more);

  function rendered(more: Values = {}): Manifest[] {
    const { status, stdout, stderr } = template({ ...IMAGE, ...SECRET, ...more });
    expect(status, stderr).toBe(0);
    return parseAllDocuments(stdout)
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null);
  }

  it('finds nothing wrong', () => {
    const { status, stdout } = helm(['lint', '--strict', CHART], { ...IMAGE, ...SECRET });
    expect(status, stdout).toBe(0);
  });

  it('needs an image and a secret', () => {
    expect(template(IMAGE).stderr).toContain('existingSecret');
    expect(template(SECRET).stderr).toContain('image.repository');
  });

  it('makes two deployments, a migration, a service and a budget', () => {
    const manifests = rendered();
    const kinds = manifests.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual(['Deployment', 'Deployment', 'Job', 'PodDisruptionBudget', 'Service']);
    for (const { spec, metadata } of manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')) {
      const pod = spec?.template?.spec;
      const [container] = pod?.containers ?? [];
      if (!pod || !container) throw new Error(`${metadata.name} has no container`);
      const volumes = pod.volumes.map(({ name }) => name);
      expect(
        container.volumeMounts.map(({ name }) => name),
        metadata.name,
      ).toEqual(volumes);
      expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
      const { readinessProbe, ports = [] } = container;
      if (readinessProbe) expect(ports.map(({ name }) => name)).toContain(readinessProbe.httpGet.port);
    }
  });

  it('makes what is switched on', () => {
    const engines = [{ id: 'tesseract', price_per_page_usd: 0 }];
    const manifests = rendered({
      ...{ ingress: { enabled: true }, podMonitor: { enabled: true }, worker: { autoscaling: { enabled: true } } },
      ...{ metricsToken: true, settings: { MAX_QUEUED: '1000000' }, engines },
    });
    const kinds = manifests.map(({ kind }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['ConfigMap', 'Ingress', 'PodMonitor', 'ScaledObject', 'TriggerAuthentication']),
    );
    const file = manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.['engines.json'] ?? '';
    expect(JSON.parse(file)).toEqual({ engines });
    const worker = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'ocr-worker');
    expect(worker?.spec).not.toHaveProperty('replicas');
    expect(worker?.spec?.template?.spec.containers[0]?.env).toEqual(
      expect.arrayContaining([
        { name: 'MAX_QUEUED', value: '1000000' },
        { name: 'ENGINES_FILE', value: '/etc/ocr-router/engines.json' },
        { name: 'METRICS_TOKEN_FILE', value: '/run/secrets/ocr-router/metrics-token' },
      ]),
    );
  });
});
