import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endProcess, hasEnded } from './end-process.ts';
import { freePorts } from './free-ports.ts';
import type { Product } from './product.ts';
import { until } from './until.ts';

/** A proxy in front of a product, by the example of the documentation as it stands, but without TLS. */
export interface Proxy extends AsyncDisposable {
  readonly apiUrl: string;
  readonly dashboardUrl: string;
}

export interface ProxyPorts {
  readonly api: number;
  readonly dashboard: number;
}

export interface ProxyKind {
  readonly name: string;
  /** Why there is none to test with; null when there is one. */
  missing(): string | null;
  start(product: Product, ports: ProxyPorts): Promise<Proxy>;
}

const ERROR_CHARACTERS = 4000;

export async function proxyPorts(): Promise<ProxyPorts> {
  const [api = 0, dashboard = 0] = await freePorts(2);
  return { api, dashboard };
}

/** The example, in front of this product. */
export async function exampleFor({ url, dashboardUrl }: Product, file: string): Promise<string> {
  const example = await readFile(resolve(import.meta.dirname, '../../docs/proxies', file), 'utf8');
  return example.replace('127.0.0.1:8080', new URL(url).host).replace('127.0.0.1:8081', new URL(dashboardUrl).host);
}

export async function proxyFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `ocr-router-${name}-`));
  await chmod(folder, 0o755); // as root its workers run as another user, who must be able to enter
  return folder;
}

/** Starts the program and waits until it answers. */
export async function runProxy(
  [program = '', ...args]: readonly string[],
  { folder, ports }: { folder: string; ports: ProxyPorts },
): Promise<Proxy> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-ERROR_CHARACTERS);
  });
  const end = async () => {
    await endProcess(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(`${program} answers`, async () => {
      if (hasEnded(child)) throw new Error(`${program} ended: ${errors}`);
      return fetch(`http://127.0.0.1:${ports.api}/livez`).catch(() => null);
    });
  } catch (error) {
    await end();
    throw error;
  }
  return {
    apiUrl: `http://127.0.0.1:${ports.api}`,
    dashboardUrl: `http://127.0.0.1:${ports.dashboard}`,
    [Symbol.asyncDispose]: end,
  };
}
