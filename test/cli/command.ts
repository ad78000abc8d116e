import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { HouseAccount } from '../house/house.ts';

const COMMAND = resolve(import.meta.dirname, '../../cli/dist/main.js');

/** `ocr-router`, asked for by an account of a gateway, in a folder; in that of the tests when none is given. */
export class RouterCommand {
  readonly #url: string;
  readonly #cwd: string | undefined;

  constructor({ product: { url } }: { readonly product: { readonly url: string } }, cwd?: string) {
    this.#url = url;
    this.#cwd = cwd;
  }

  start(
    { apiKey }: Pick<HouseAccount, 'apiKey'>,
    ...args: string[]
  ): ChildProcess & { stdout: Readable; stderr: Readable } {
    const env = { ...process.env, OCR_ROUTER_URL: this.#url, OCR_ROUTER_API_KEY: apiKey };
    return spawn(process.execPath, [COMMAND, ...args], { env, cwd: this.#cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async run(account: Pick<HouseAccount, 'apiKey'>, ...args: string[]) {
    const child = this.start(account, ...args);
    const ended = once(child, 'exit');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    return { code, output, errors };
  }
}
