import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from './until.ts';

const ENTRY = resolve(import.meta.dirname, '../../desktop/src/web/main.ts');

/** `npm run desktop:web` on the built renderer, in a process of its own. */
export class WebConsole implements AsyncDisposable {
  /** As it was printed, with the secret of this start. */
  readonly address: string;
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #output: { text: string };

  private constructor(parts: { address: string; folder: string; child: ChildProcess; output: { text: string } }) {
    this.address = parts.address;
    this.folder = parts.folder;
    this.#child = parts.child;
    this.#output = parts.output;
  }

  /** Shows the gateway at once when one is given; else a profile has to be made first. */
  static async start(gateway: { url: string; token: string } | null, args: string[] = []): Promise<WebConsole> {
    const folder = await mkdtemp(join(tmpdir(), 'ocr-router-web-'));
    const child = spawn(process.execPath, [ENTRY, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        OCR_ROUTER_CONSOLE_DIR: folder,
        ...(gateway && { OCR_ROUTER_URL: gateway.url, OCR_ROUTER_TOKEN: gateway.token }),
      },
    });
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += String(chunk)));
    const killWithUs = () => child.kill('SIGKILL');
    process.once('exit', killWithUs);
    child.once('exit', () => process.off('exit', killWithUs));
    const address = await until('the console is served', () => {
      if (child.exitCode !== null) throw new Error(`desktop:web ended: ${output.text}`);
      return /http:\/\/127\.0\.0\.1:\d+\/open\?secret=\S+/.exec(output.text)?.[0];
    });
    return new WebConsole({ address, folder, child, output });
  }

  get origin(): string {
    return new URL(this.address).origin;
  }

  get output(): string {
    return this.#output.text;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
