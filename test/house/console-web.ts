import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const ENTRY = fileURLToPath(new URL('../../desktop/src/web/main.ts', import.meta.url));

export interface ConsoleWebOptions {
  /** OCR_ROUTER_URL and OCR_ROUTER_TOKEN; without them the console starts with no gateway. */
  readonly url?: string;
  readonly token?: string;
}

/** The built console as `npm run desktop:web` serves it, in a process and a folder of its own. */
export class ConsoleWeb implements AsyncDisposable {
  /** The address that opens it, with the secret of this start. */
  readonly address: string;
  readonly folder: string;
  readonly #child: ChildProcess;

  private constructor(parts: { address: string; folder: string; child: ChildProcess }) {
    this.address = parts.address;
    this.folder = parts.folder;
    this.#child = parts.child;
  }

  static async start({ url, token }: ConsoleWebOptions = {}): Promise<ConsoleWeb> {
    const folder = await mkdtemp(join(tmpdir(), 'ocr-router-console-'));
    const child = spawn(process.execPath, [ENTRY], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        OCR_ROUTER_CONSOLE_DIR: folder,
        ...(url && { OCR_ROUTER_URL: url }),
        ...(token && { OCR_ROUTER_TOKEN: token }),
      },
    });
    const killWithUs = () => child.kill('SIGKILL');
    process.once('exit', killWithUs);
    child.once('exit', () => process.off('exit', killWithUs));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => void (output += chunk));
    const address = await until('the console prints its address', () => {
      if (child.exitCode !== null) throw new Error(`the console did not start: ${output}`);
      return /http:\S+/.exec(output)?.[0];
    });
    return new ConsoleWeb({ address, folder, child });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
