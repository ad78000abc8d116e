import { type ChildProcess, fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasEnded } from './end-process.ts';
import { killAtExit } from './kill-at-exit.ts';
import type { Product } from './product.ts';
import type { HostCommand, HostEvent } from './product-host.ts';
import { ProductLog } from './product-log.ts';
import { inherited, type ProductOptions, type ProductSettings, productSettings } from './product-settings.ts';

/** Of opening a product, and of closing one. */
const LIMIT_MS = 60_000;
/** Settings of a process as a whole, or of its start. */
const PROCESS_SETTINGS = [
  'FAULT',
  'DOCS_URL',
  'DEMO_ACCOUNT',
  'LOG_FORMAT',
  'MAX_MEMORY_MB',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
];

/** Whether a product with these settings can be beside others in a process. */
export function canBeHosted({ env = {} }: ProductOptions): boolean {
  return !PROCESS_SETTINGS.some((name) => name in env);
}

/** Opens the product in this process's process for products (`product-host.ts`); resolves when it is ready for requests. */
export async function hostProduct(options: ProductOptions = {}): Promise<Product> {
  const settings = await productSettings(options);
  const product = new HostedProduct(settings, currentHost());
  await product.open(settings.env, options.role);
  return product;
}

class HostedProduct implements Product {
  readonly url: string;
  readonly dashboardUrl: string;
  readonly databaseUrl: string;
  readonly #folder: string;
  readonly #host: ProductHost;
  readonly #log = new ProductLog();
  readonly #id: number;
  #isOpen = false;

  constructor({ url, dashboardUrl, databaseUrl, folder }: ProductSettings, host: ProductHost) {
    this.url = url;
    this.dashboardUrl = dashboardUrl;
    this.databaseUrl = databaseUrl;
    this.#folder = folder;
    this.#host = host;
    this.#id = host.add(this.#log);
  }

  async open(env: Readonly<Record<string, string>>, role: ProductOptions['role'] = 'main'): Promise<void> {
    try {
      await this.#host.ask({ kind: 'open', id: this.#id, role: role === 'main' ? 'all' : role, env });
      this.#isOpen = true;
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw new Error(`the product did not start: ${(error as Error).message}\n${this.logs()}`, { cause: error });
    }
  }

  logs(): string {
    return this.#log.text;
  }

  async stop(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#host.ask({ kind: 'close', id: this.#id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop();
    } finally {
      this.#host.remove(this.#id);
      await rm(this.#folder, { recursive: true, force: true });
    }
  }
}

/** The process that runs the products of this one's test files. */
class ProductHost {
  readonly #child: ChildProcess;
  readonly #logs = new Map<number, ProductLog>();
  readonly #asked = new Map<number, PromiseWithResolvers<void>>();
  #lastId = 0;

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'product-host.ts'), { env: inherited(), silent: true });
    killAtExit(this.#child);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        for (const log of this.#logs.values()) log.add(chunk.toString());
      });
    this.#child.on('message', (event: HostEvent) => this.#hear(event));
    this.#child.once('exit', (code, signal) => {
      const error = new Error(`the process of the products ended: ${signal ?? code}`);
      for (const { reject } of this.#asked.values()) reject(error);
    });
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isRunning(): boolean {
    return !hasEnded(this.#child);
  }

  /** Its lines go to this log; the product's id. */
  add(log: ProductLog): number {
    this.#logs.set(++this.#lastId, log);
    return this.#lastId;
  }

  remove(id: number): void {
    this.#logs.delete(id);
  }

  async ask(command: HostCommand): Promise<void> {
    if (!this.isRunning) throw new Error('the process of the products has ended');
    const answer = Promise.withResolvers<void>();
    this.#asked.set(command.id, answer);
    const late = setTimeout(() => answer.reject(new Error(`${command.kind}: no answer in ${LIMIT_MS} ms`)), LIMIT_MS);
    this.#child.send(command);
    await answer.promise.finally(() => {
      clearTimeout(late);
      this.#asked.delete(command.id);
    });
  }

  #hear(event: HostEvent): void {
    if (event.kind === 'logged') this.#logs.get(event.id)?.add(event.line);
    else if (event.kind === 'failed') this.#asked.get(event.id)?.reject(new Error(event.message));
    else this.#asked.get(event.id)?.resolve();
  }
}

let host: ProductHost | undefined;

function currentHost(): ProductHost {
  if (!host?.isRunning) host = new ProductHost();
  return host;
}
