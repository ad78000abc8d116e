import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
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

type Labels = Record<string, string>;

interface Peer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: string[] };
  readonly namespaceSelector?: object;
}

/** Everybody or everything where `from`, `to` or `ports` is not there. */
interface Traffic {
  readonly from?: Peer[];
  readonly to?: Peer[];
  readonly ports?: { readonly port: number | string; readonly protocol?: string }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Record<string, string>;
  readonly spec?: {
    readonly replicas?: number;
    readonly rules?: { readonly host: string }[];
    readonly podSelector?: { readonly matchLabels: Labels };
    readonly policyTypes?: string[];
    readonly ingress?: Traffic[];
    readonly egress?: Traffic[];
    readonly template?: {
      readonly metadata: { readonly labels: Labels };
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

  describe('with the network policy', () => {
    const POSTGRES = { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ protocol: 'TCP', port: 5432 }] };
    const SCRAPERS = [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }];
    const CALLERS = [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }];
    const manifests = HELM
      ? rendered({ networkPolicy: { enabled: true, egress: [POSTGRES], scrapers: SCRAPERS, callers: CALLERS } })
      : [];
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec);
    const podOf = (name: string) => {
      const template = manifests.find(({ metadata, spec }) => metadata.name === name && spec?.template)?.spec?.template;
      if (!template) throw new Error(`the chart has no ${name}`);
      return template;
    };
    const policiesOf = (name: string) => {
      const { labels } = podOf(name).metadata;
      const chosen = ({ matchLabels }: { matchLabels: Labels }) =>
        Object.entries(matchLabels).every(([label, value]) => labels[label] === value);
      return policies.filter((policy) => policy?.podSelector && chosen(policy.podSelector));
    };
    const egressOf = (name: string) => policiesOf(name).flatMap((policy) => policy?.egress ?? []);
    /** Whether a rule lets packets to that address and port pass. */
    const reaches = (name: string, address: string, port: number) =>
      egressOf(name).some(
        ({ to, ports }) =>
          (!ports || ports.some((each) => each.port === port)) &&
          (!to || to.some(({ ipBlock }) => ipBlock && isWithin(address, ipBlock))),
      );

    it.each(['ocr-api', 'ocr-worker', 'ocr-migrate'])(
      '%s reaches the internet, names, its database, and no more',
      (name) => {
        expect(policiesOf(name).some((policy) => policy?.policyTypes?.includes('Egress'))).toBe(true);
        expect(['1.1.1.1', '172.32.0.1', '2606:4700::1111'].map((each) => reaches(name, each, 443))).toEqual([
          true,
          true,
          true,
        ]);
        expect(reaches(name, '10.96.0.10', 53)).toBe(true);
        expect([reaches(name, '10.1.2.3', 5432), reaches(name, '10.1.2.4', 5432)]).toEqual([true, false]);
        // Of the cloud, of the cluster, of the node.
        const inner = [
          '169.254.169.254',
          '10.0.0.1',
          '172.16.0.1',
          '192.168.0.1',
          '100.64.0.1',
          'fd00:ec2::254',
          'fe80::1',
        ];
        expect(inner.filter((address) => reaches(name, address, 80))).toEqual([]);
      },
    );

    it('lets callers reach API and dashboard, scrapers the metrics, and nobody anything else', () => {
      const ingressOf = (name: string) => policiesOf(name).flatMap((policy) => policy?.ingress ?? []);
      const metrics = { from: SCRAPERS, ports: [{ port: 'metrics', protocol: 'TCP' }] };
      const served = ['api', 'dashboard'].map((port) => ({ port, protocol: 'TCP' }));
      expect(ingressOf('ocr-api')).toEqual(expect.arrayContaining([metrics, { from: CALLERS, ports: served }]));
      expect(ingressOf('ocr-api')).toHaveLength(2);
      expect(ingressOf('ocr-worker')).toEqual([metrics]);
      const named = podOf('ocr-api').spec.containers[0]?.ports?.map(({ name }) => name);
      expect(named).toEqual(expect.arrayContaining(['api', 'dashboard', 'metrics']));
    });

    it('lets everybody call and scrape where nobody is named, and asks where the database is', () => {
      const open = rendered({ networkPolicy: { enabled: true, egress: [POSTGRES] } });
      const rules = open.flatMap(({ spec }) => spec?.ingress ?? []);
      expect(rules).toHaveLength(2);
      expect(rules.filter((rule) => 'from' in rule)).toEqual([]);
      expect(template({ ...IMAGE, ...SECRET, networkPolicy: { enabled: true } }).stderr).toContain(
        'networkPolicy.egress',
      );
    });
  });
});

function isWithin(address: string, { cidr, except = [] }: { cidr: string; except?: string[] }): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const holds = (range: string) => {
    const [network = '', prefix] = range.split('/');
    if (network.includes(':') !== address.includes(':')) return false;
    const list = new BlockList();
    list.addSubnet(network, Number(prefix), family);
    return list.check(address, family);
  };
  return holds(cidr) && !except.some(holds);
}
