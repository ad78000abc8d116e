import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleFor, type ProxyKind, proxyFolder, runProxy } from './proxy.ts';

export const CADDY: ProxyKind = {
  name: 'Caddy',
  missing: () => (spawnSync('caddy', ['version']).status === 0 ? null : 'Caddy is not installed'),
  async start(product, ports) {
    const folder = await proxyFolder('caddy');
    const example = (await exampleFor(product, 'Caddyfile'))
      .replace('api.example.com {', `http://127.0.0.1:${ports.api} {`)
      .replace('ocr.example.com {', `http://127.0.0.1:${ports.dashboard} {`);
    const file = join(folder, 'Caddyfile');
    await writeFile(file, `{\n\tadmin off\n}\n${example}`);
    return runProxy(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], { folder, ports });
  },
};
