import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { MALLOC } from '../house/malloc.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');

/** Settings of the service, as the README lists them (a test holds that list against the service). */
const SETTINGS = new Set(
  [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name),
);
const COMMANDS = ['serve', 'api', 'worker', 'migrate', 'doctor', 'backup', 'restore', 'admin'];
const FOR_NODE = ['NODE_ENV', 'NODE_COMPILE_CACHE', ...Object.keys(MALLOC)];

function isSetting(name: string): boolean {
  return SETTINGS.has(name) || SETTINGS.has(name.replace(/_FILE$/, '')) || FOR_NODE.includes(name);
}

interface Service {
  readonly image: string;
  readonly command?: string[];
  readonly environment?: Record<string, string>;
  readonly secrets?: string[];
  readonly depends_on?: string[] | Record<string, object>;
  readonly read_only?: boolean;
  readonly healthcheck?: object;
  readonly volumes?: string[];
}

it.each([
  'package.json',
  'deploy/Dockerfile',
  ...['', '-api@', '-worker@'].map((which) => `deploy/systemd/ocr-router${which}.service`),
])('%s starts the service with the settings for glibc that memory is measured with', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  for (const [name, value] of Object.entries(MALLOC)) expect(text).toMatch(new RegExp(`[ =]${name}=${value}\\b`));
});

describe('compose.yaml', () => {
  const compose = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, Service>;
    secrets: Record<string, { readonly file: string }>;
    volumes: Record<string, object>;
  };
  const services = Object.entries(compose.services);
  const own = services.filter(([, { image }]) => image.startsWith('ocr-router'));

  it('has two of each process, and what they need', () => {
    const commands = own.map(([, { command }]) => command?.join(' ')).toSorted();
    expect(commands).toEqual(['api', 'api', 'migrate', 'worker', 'worker']);
    expect(services.map(([name]) => name)).toEqual(expect.arrayContaining(['postgres', 'valkey', 'caddy']));
  });

  it('sets only what the service knows, and runs only commands that it has', () => {
    expect(SETTINGS.size).toBeGreaterThan(30);
    for (const [name, { environment = {}, command = [] }] of own) {
      expect(
        Object.keys(environment).filter((setting) => !isSetting(setting)),
        name,
      ).toEqual([]);
      expect(environment, name).toHaveProperty('DATABASE_URL_FILE');
      expect(COMMANDS).toContain(command[0]);
    }
  });

  it('uses the secrets, volumes and services that it declares, and no secret as it is', () => {
    for (const [name, { secrets = [], volumes = [], depends_on = [], environment = {} }] of services) {
      expect(Object.keys(compose.secrets), name).toEqual(expect.arrayContaining(secrets));
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      expect(Object.keys(compose.services), name).toEqual(expect.arrayContaining(needed));
      const named = volumes.map((volume) => volume.split(':')[0] ?? '').filter((volume) => !volume.startsWith('.'));
      expect(Object.keys(compose.volumes), name).toEqual(expect.arrayContaining(named));
      for (const path of Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))) {
        expect(secrets, name).toContain(path.slice('/run/secrets/'.length));
      }
    }
  });

  it('has its secrets where no image gets them', () => {
    const kept = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
    for (const { file } of Object.values(compose.secrets)) {
      expect(kept.filter((folder) => `deploy/${file}`.startsWith(`${folder}/`))).not.toEqual([]);
    }
  });

  it('writes nothing into the containers of the service', () => {
    expect(own.filter(([, { read_only }]) => read_only !== true)).toEqual([]);
  });

  it('sends Caddy to services that there are', () => {
    const caddy = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8');
    const upstreams = [...caddy.matchAll(/([\w-]+):80(?:80|81)/g)].map(([, name = '']) => name);
    expect(upstreams.length).toBe(4);
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(upstreams));
  });
});

const CADDY = spawnSync('caddy', ['version']).status === 0;
if (!CADDY) console.log('skipped: caddy is not installed');
it.skipIf(!CADDY)('Caddy takes the Caddyfile', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'Caddyfile')];
  const env = { ...process.env, API_HOST: 'http://api.example', DASHBOARD_HOST: 'http://dashboard.example' };
  const { status, stderr } = spawnSync('caddy', args, { encoding: 'utf8', env });
  expect(status, stderr).toBe(0);
});

describe('the Dockerfile', () => {
  const text = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8');

  it('runs as nobody in particular, knows its settings, and says whether it is well', () => {
    const run = text.slice(text.indexOf(' AS run'));
    expect(run).toMatch(/^USER 10001:10001$/m);
    expect(run).toMatch(/^HEALTHCHECK .*healthy\.mjs/m);
    const settings = [...(/^ENV (.*)$/m.exec(run)?.[1] ?? '').matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
    expect(settings.length).toBeGreaterThan(3);
    expect(settings.filter((name) => !isSetting(name))).toEqual([]);
    expect(run).toMatch(/^CMD \["api"\]$/m);
  });

  it('copies what is there', () => {
    const sources = [...text.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, source = '']) => source);
    expect(sources.length).toBeGreaterThan(1);
    for (const source of sources)
      expect(() => readdirSync(join(ROOT, source, source === '.' ? '' : '..'))).not.toThrow();
  });
});

it('after a backup those of 14 days ago and before are removed, and nothing else', () => {
  const unit = readFileSync(join(DEPLOY, 'systemd/ocr-router-backup.service'), 'utf8');
  const [, command = ''] = /^ExecStartPost=(.+)$/m.exec(unit) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'ocr-backups-'));
  const put = (name: string, days: number) => {
    writeFileSync(join(folder, name), '');
    const then = Date.now() / 1000 - days * 86_400;
    utimesSync(join(folder, name), then, then);
  };
  try {
    const kept = ['mine.tar.gz', 'ocr-router-backup-13.tar.gz', 'ocr-router-backup-now.tar.gz'];
    for (const [index, days] of [400, 13.9, 0].entries()) put(kept[index] ?? '', days);
    put('ocr-router-backup-14.tar.gz', 14.1);
    put('ocr-router-backup-400.tar.gz', 400);
    put('ocr-router-backup-400.tar.gz.17.part', 400); // of one that was cut off
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(readdirSync(folder).toSorted()).toEqual(kept);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!SYSTEMD) console.log('skipped: systemd-analyze is not installed');
describe.skipIf(!SYSTEMD)('systemd', () => {
  const units = readdirSync(join(DEPLOY, 'systemd'));

  it('takes the units', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ocr-units-'));
    try {
      for (const unit of units) {
        // Where the command is, is the machine's affair.
        const text = readFileSync(join(DEPLOY, 'systemd', unit), 'utf8').replaceAll(
          '/opt/ocr-router/bin/ocr-router',
          '/bin/true',
        );
        writeFileSync(join(folder, unit.replace('@', '@1')), text);
      }
      const paths = readdirSync(folder).map((name) => join(folder, name));
      const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { encoding: 'utf8' });
      const ours = stderr.split('\n').filter((line) => line.includes('ocr-router'));
      expect([status, ours]).toEqual([0, []]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(units.filter((unit) => unit.endsWith('.service') && !unit.includes('backup')))('%s is shut in', (unit) => {
    const args = ['security', '--offline=true', '--threshold=30', join(DEPLOY, 'systemd', unit)];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });
});
