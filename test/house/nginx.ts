import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Product } from './product.ts';
import { until } from './until.ts';

const EXAMPLE = resolve(import.meta.dirname, '../../docs/proxies/nginx.conf');

/** Why there is no nginx to test with; null when there is one. */
export function missingNginx(): string | null {
  return spawnSync('nginx', ['-v']).status === 0 ? null : 'nginx is not installed';
}

export interface NginxPorts {
  readonly api: number;
  readonly dashboard: number;
}

export interface Nginx extends AsyncDisposable {
  readonly apiUrl: string;
  readonly dashboardUrl: string;
}

/** The example of the documentation as it stands, but without TLS and on ports of this test's own. */
export async function startNginx(product: Product, { api, dashboard }: NginxPorts): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-nginx-'));
  await chmod(folder, 0o755); // as root its workers run as another user, who must be able to enter
  const ports = [api, dashboard];
  const example = (await readFile(EXAMPLE, 'utf8'))
    .replaceAll('listen 443 ssl;', () => `listen 127.0.0.1:${ports.shift()};`)
    .replaceAll(/ +ssl_certificate.*\n/g, '')
    .replace('127.0.0.1:8080', new URL(product.url).host)
    .replace('127.0.0.1:8081', new URL(product.dashboardUrl).host);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}\nhttp { access_log off; ${places.join(' ')}\n${example}\n}\n`,
  );
  const child = spawn('nginx', ['-c', file], { stdio: 'ignore' });
  await until('nginx answers', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${await readFile(`${folder}/error.log`, 'utf8')}`);
    return fetch(`http://127.0.0.1:${api}/livez`).catch(() => null);
  });
  return {
    apiUrl: `http://127.0.0.1:${api}`,
    dashboardUrl: `http://127.0.0.1:${dashboard}`,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
