import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { installPackage } from './debian-package.ts';
import { endProcess, hasEnded } from './end-process.ts';
import { freePorts } from './free-ports.ts';
import { until } from './until.ts';

/** Why there is no redis-server to test with; null when there is one. As root on Debian it is installed when missing. */
export function missingRedis(): string | null {
  if (hasRedis()) return null;
  installPackage('redis-server');
  if (hasRedis()) return null;
  return 'redis-server is not installed, and cannot be installed here';
}

function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** A redis-server of a test's own, without persistence, that can be killed, stopped and started again on its port. */
export class RedisServer implements AsyncDisposable {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  #child: ChildProcess | null = null;

  private constructor(port: number, folder: string) {
    this.#port = port;
    this.#folder = folder;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(): Promise<RedisServer> {
    const [port = 0] = await freePorts(1);
    const server = new RedisServer(port, await mkdtemp(join(tmpdir(), 'ocr-router-redis-')));
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const settings = ['--save', '', '--appendonly', 'no', '--bind', '127.0.0.1', '--dir', this.#folder];
    const child = spawn('redis-server', ['--port', String(this.#port), ...settings], { stdio: 'ignore' });
    this.#child = child;
    await until('Redis answers', async () => {
      if (hasEnded(child)) throw new Error(`redis-server ended with ${child.exitCode ?? child.signalCode}`);
      return this.command('ping').catch(() => null);
    });
  }

  /** As a crash: what was in memory is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = null;
    await endProcess(child, { signal: 'SIGKILL' });
  }

  /** It holds its connections and answers nothing. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  async command(name: string, ...args: string[]): Promise<unknown> {
    const client = new Redis(this.#port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined); // the call itself rejects
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.thaw();
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
