import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { endProcess, hasEnded } from './end-process.ts';
import { killAtExit } from './kill-at-exit.ts';
import { ProductLog } from './product-log.ts';
import { type ProductOptions, type ProductSettings, productSettings } from './product-settings.ts';
import { until } from './until.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

export interface ProcessOptions extends ProductOptions {
  /** Where another checkout of the project is, which is built, too; this one when not given. */
  readonly project?: string;
  /** The Node that runs it; that of the tests when not given. */
  readonly program?: string;
  /** How long its start may take, where that is longer than a test waits. */
  readonly patienceMs?: number;
}

/** The built product while it runs: in a process of its own, or beside others in one (`product-host.ts`). */
export interface Product extends AsyncDisposable {
  readonly url: string;
  readonly dashboardUrl: string;
  readonly databaseUrl: string;
  /** What it wrote to its log, the newest part of it. */
  logs(): string;
  /** Asks it to end, as an operator does, and waits until it has. */
  stop(): Promise<void>;
}

/** The product in a process of its own, as an operator starts it. */
export class ProductProcess implements Product {
  readonly url: string;
  readonly dashboardUrl: string;
  readonly databaseUrl: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #log = new ProductLog();

  constructor({ url, dashboardUrl, databaseUrl, folder }: ProductSettings, child: ChildProcess) {
    this.url = url;
    this.dashboardUrl = dashboardUrl;
    this.databaseUrl = databaseUrl;
    this.#folder = folder;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => this.#log.add(chunk.toString()));
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the product did not start');
    return this.#child.pid;
  }

  get running(): boolean {
    return !hasEnded(this.#child);
  }

  /** How the process ended: its exit code, or the signal that killed it; null while it runs. */
  get end(): number | NodeJS.Signals | null {
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  logs(): string {
    return this.#log.text;
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

  async stop(): Promise<void> {
    await endProcess(this.#child);
  }

  /** Sends it any signal. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends it without warning, as a power cut does. */
  async kill(): Promise<void> {
    await endProcess(this.#child, { signal: 'SIGKILL' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Starts the product in a process of its own and waits until it is ready for requests. */
export async function startProduct(options: ProcessOptions = {}): Promise<ProductProcess> {
  const settings = await productSettings(options);
  const child = spawn(
    options.program ?? process.execPath,
    [join(options.project ?? PROJECT, 'server/dist', `${options.role ?? 'main'}.js`)],
    { cwd: settings.folder, stdio: ['ignore', 'pipe', 'pipe'], env: settings.env },
  );
  killAtExit(child);
  const product = new ProductProcess(settings, child);
  await ready(product, options);
  return product;
}

async function ready(product: ProductProcess, { patienceMs }: ProcessOptions): Promise<void> {
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
