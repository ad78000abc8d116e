import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { EngineEntry } from '../../server/src/engines/engines-file.ts';
import { createDatabase } from './cluster.ts';
import { freePorts } from './free-ports.ts';
import { killAtExit } from './kill-at-exit.ts';
import { until } from './until.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const KEPT_LOG_CHARACTERS = 200_000;

export interface ProductOptions {
  /** What ENGINES_FILE holds. */
  readonly engines?: readonly EngineEntry[];
  readonly env?: Readonly<Record<string, string>>;
  readonly databaseUrl?: string;
  /** Which entry: everything in one process when not given. */
  readonly role?: 'main' | 'api' | 'worker';
  /** Where another checkout of the project is, which is built, too; this one when not given. */
  readonly project?: string;
  /** The Node that runs it; that of the tests when not given. */
  readonly program?: string;
  /** For a process that starts again where it was; free ones when not given. */
  readonly ports?: { readonly api: number; readonly dashboard: number };
  /** How long its start may take, where that is longer than a test waits. */
  readonly patienceMs?: number;
}

/** The built product in a process of its own, as an operator starts it. */
export class Product implements AsyncDisposable {
  readonly url: string;
  readonly dashboardUrl: string;
  readonly databaseUrl: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  #log = '';

  constructor(at: {
    host: string;
    apiPort: number;
    dashboardPort: number;
    databaseUrl: string;
    folder: string;
    child: ChildProcess;
  }) {
    const host = at.host.includes(':') ? `[${at.host}]` : at.host;
    this.url = `http://${host}:${at.apiPort}`;
    this.dashboardUrl = `http://${host}:${at.dashboardPort}`;
    this.databaseUrl = at.databaseUrl;
    this.#folder = at.folder;
    this.#child = at.child;
    for (const stream of [at.child.stdout, at.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#log = (this.#log + chunk.toString()).slice(-KEPT_LOG_CHARACTERS);
      });
    }
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the product did not start');
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** How the process ended: its exit code, or the signal that killed it; null while it runs. */
  get end(): number | NodeJS.Signals | null {
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  /** What the product wrote to its standard outputs, the newest part of it. */
  logs(): string {
    return this.#log;
  }

  /** Closes the other ends of its standard outputs, as a closed terminal does. */
  stopReading(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** Resident memory of the process, in MB; null where the system has no /proc. */
  async residentMb(): Promise<number | null> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  }

  /** Asks it to end, as an operator does, and waits until it has. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Sends it any signal. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends it without warning, as a power cut does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.running) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    const impatient = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(impatient);
  }
}

/** Starts the product and waits until it is ready for requests. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const databaseUrl = options.databaseUrl ?? (await createDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-product-'));
  const enginesFile = join(folder, 'engines.json');
  await writeFile(enginesFile, JSON.stringify({ engines: options.engines ?? [] }));
  const [freePort = 0, otherPort = 0] = await freePorts(2);
  const { api: apiPort, dashboard: dashboardPort } = options.ports ?? { api: freePort, dashboard: otherPort };
  const child = spawn(
    options.program ?? process.execPath,
    [join(options.project ?? PROJECT, 'server/dist', `${options.role ?? 'main'}.js`)],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...inherited(),
        HOST: '127.0.0.1',
        PORT: String(apiPort),
        ...(options.role === 'worker' && { WORKER_PORT: String(apiPort) }),
        DASHBOARD_PORT: String(dashboardPort),
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: databaseUrl,
        ENGINES_FILE: enginesFile,
        LOG_LEVEL: 'warn',
        DEMO_ACCOUNT: 'false',
        ...options.env,
      },
    },
  );
  killAtExit(child);
  const product = new Product({
    host: options.env?.['HOST'] ?? '127.0.0.1',
    apiPort,
    dashboardPort,
    databaseUrl,
    folder,
    child,
  });
  await ready(product, options);
  return product;
}

async function ready(product: Product, { patienceMs }: ProductOptions): Promise<void> {
  const isReady = async () => {
    if (!product.running) throw new Error('it ended');
    const response = await fetch(`${product.url}/readyz`).catch(() => null);
    await response?.arrayBuffer();
    return response?.status === 200;
  };
  try {
    await until('the product is ready', isReady, { ...(patienceMs !== undefined && { patienceMs }) });
  } catch (error) {
    await product.kill();
    throw new Error(`the product did not start: ${(error as Error).message}\n${product.logs()}`, { cause: error });
  }
}

// Nothing of the surroundings but what any program needs, so that a developer's settings do not colour a test.
function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SYSTEMROOT', 'LD_LIBRARY_PATH', 'TZ'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
