import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');
const RULES = join(ROOT, 'deploy/prometheus/rules.yaml');
const TESTS = join(ROOT, 'deploy/prometheus/rules.test.yaml');
const PROMTOOL = spawnSync('promtool', ['--version']).status === 0;
if (!PROMTOOL) console.log('skipped: promtool is not installed (Debian has it in the package prometheus)');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

const rules = (parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana/ocr-router.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** The metrics of docs/metrics.md, which another test holds against what the service prints, with their labels. */
function documented(): Map<string, { labels: string[]; type: string }> {
  const text = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(ocr_\w+)(?:\{([\w,]+)\})?` \| (\w+) \|/gm)];
  return new Map(rows.map(([, name = '', labels = '', type = '']) => [name, { labels: labels.split(','), type }]));
}

/** Metrics and labels that an expression names. */
function namedIn(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(/\b(ocr_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*=~?/g)].map(([, label = '']) => label),
  }));
}

describe.each([
  { what: 'the rules', expressions: rules.map(({ expr }) => expr) },
  { what: 'the dashboard', expressions: queries },
])('$what', ({ expressions }) => {
  const metrics = documented();

  it('ask only for metrics that there are, by labels that they have', () => {
    expect(metrics.size).toBeGreaterThan(15);
    expect(expressions.length).toBeGreaterThan(10);
    for (const { name, labels } of expressions.flatMap(namedIn)) {
      const metric = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, ''));
      expect(metric, name).toBeDefined();
      expect(
        labels.filter((label) => !metric?.labels.includes(label)),
        name,
      ).toEqual([]);
    }
  });
});

it('every metric is used by a rule or shown', () => {
  const used = new Set([...rules.map(({ expr }) => expr), ...queries].flatMap(namedIn).map(({ name }) => name));
  const unused = [...documented().keys()].filter((name) => !used.has(name) && !used.has(`${name}_bucket`));
  expect(unused).toEqual([]);
});

it('every alert has a paragraph in the runbook, and a test', () => {
  const headings = [...readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8').matchAll(/^## (\w+)$/gm)].map(
    ([, name]) => name,
  );
  const tested = readFileSync(TESTS, 'utf8');
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(headings).toContain(alert);
    expect(tested).toContain(`alertname: ${alert}`);
  }
});

it.skipIf(!PROMTOOL)('the rules hold by promtool and its tests', () => {
  for (const args of [
    ['check', 'rules', RULES],
    ['test', 'rules', TESTS],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  }
});

it.skipIf(!PROMTOOL)('the dashboard’s queries are PromQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ocr-queries-'));
  const file = join(folder, 'queries.yaml');
  const asRules = queries.map((expr, index) => ({ record: `query:${index}`, expr }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules: asRules }] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(status, stdout + stderr).toBe(0);
});

it.skipIf(!PROMTOOL)('Prometheus takes the configuration of docs/metrics.md', () => {
  const text = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');
  const [, configuration = ''] = /^```yaml\n(scrape_configs:.*?)^```$/ms.exec(text) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'ocr-scrape-'));
  const file = join(folder, 'prometheus.yaml');
  writeFileSync(file, configuration);
  const args = ['check', 'config', '--syntax-only', file]; // its token is on another machine
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(configuration).toContain('job_name');
  expect(status, stdout + stderr).toBe(0);
});
