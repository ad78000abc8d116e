import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleFor, type ProxyKind, proxyFolder, runProxy } from './proxy.ts';

export const NGINX: ProxyKind = {
  name: 'nginx',
  missing: () => (spawnSync('nginx', ['-v']).status === 0 ? null : 'nginx is not installed'),
  async start(product, ports) {
    const folder = await proxyFolder('nginx');
    const listen = [ports.api, ports.dashboard];
    const example = (await exampleFor(product, 'nginx.conf'))
      .replaceAll('listen 443 ssl;', () => `listen 127.0.0.1:${listen.shift()};`)
      .replaceAll(/ +ssl_certificate.*\n/g, '');
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const file = join(folder, 'nginx.conf');
    await writeFile(
      file,
      `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${places.join(' ')}\n${example}\n}\n`,
    );
    return runProxy(['nginx', '-c', file], { folder, ports });
  },
};
