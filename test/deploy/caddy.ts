import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { proxyFolder, proxyPorts, runProxy } from '../house/proxy.ts';

const CADDYFILE = resolve(import.meta.dirname, '../../deploy/Caddyfile');

/** The Caddyfile of deploy/ as it stands, in front of these two processes. */
export async function startCaddy(apis: readonly { url: string; dashboardUrl: string }[]) {
  const ports = await proxyPorts();
  const folder = await proxyFolder('deploy');
  let text = await readFile(CADDYFILE, 'utf8');
  for (const [index, { url, dashboardUrl }] of apis.entries()) {
    text = text.replace(`api-${index + 1}:8080`, new URL(url).host);
    text = text.replace(`api-${index + 1}:8081`, new URL(dashboardUrl).host);
  }
  text = text.replace('{$API_HOST:api.localhost}', `http://127.0.0.1:${ports.api}`);
  text = text.replace('{$DASHBOARD_HOST:dashboard.localhost}', `http://127.0.0.1:${ports.dashboard}`);
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n}\n${text}`);
  return runProxy(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], { folder, ports });
}
