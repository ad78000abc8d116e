import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hasEnded } from './end-process.ts';
import { killAtExit } from './kill-at-exit.ts';
import { until } from './until.ts';
import { within } from './within.ts';

const ENTRY = resolve(import.meta.dirname, '../../desktop/src/web/main.ts');

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/open\?secret=\S+/;

/** `npm run desktop:web` on the built renderer, in a process of its own. */
export class WebConsole implements AsyncDisposable {
  readonly origin: string;
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #output: { text: string };

  readonly #handedOut = new Set<string>();

  private constructor(parts: { origin: string; folder: string; child: ChildProcess; output: { text: string } }) {
    this.origin = parts.origin;
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
    killAtExit(child);
    const address = await until('the console is served', () => {
      if (hasEnded(child)) throw new Error(`desktop:web ended: ${output.text}`);
      return ADDRESS.exec(output.text)?.[0];
    });
    return new WebConsole({ origin: new URL(address).origin, folder, child, output });
  }

  /** As it was printed, with a secret that opens once: another one each time. */
  address(): Promise<string> {
    return until('the next address is printed', () => {
      const next = this.output.match(new RegExp(ADDRESS, 'g'))?.at(-1);
      if (next === undefined || this.#handedOut.has(next)) return null;
      this.#handedOut.add(next);
      return next;
    });
  }

  get output(): string {
    return this.#output.text;
  }

  async stop(): Promise<void> {
    if (hasEnded(this.#child)) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await within('the console has ended', ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
