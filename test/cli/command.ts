import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { HouseAccount } from '../house/house.ts';

export const COMMAND = resolve(import.meta.dirname, '../../cli/dist/main.js');

/** `ocr-router`, asked for by an account of a gateway, in a folder; in that of the tests when none is given. */
export class RouterCommand {
  readonly #url: string;
  readonly #cwd: string | undefined;

  constructor({ product: { url } }: { readonly product: { readonly url: string } }, cwd?: string) {
    this.#url = url;
    this.#cwd = cwd;
  }

  start(
    account: Pick<HouseAccount, 'apiKey'>,
    ...args: string[]
  ): ChildProcess & { stdout: Readable; stderr: Readable } {
    return spawn(process.execPath, [COMMAND, ...args], { ...this.#where(account), stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Runs it with its standard outputs led into these files, and answers its exit code. */
  async runInto(
    { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
    account: Pick<HouseAccount, 'apiKey'>,
    ...args: string[]
  ): Promise<number | null> {
    await using output = await open(stdout, 'a');
    await using errors = await open(stderr, 'a');
    const stdio = ['ignore', output.fd, errors.fd] as const;
    const child = spawn(process.execPath, [COMMAND, ...args], { ...this.#where(account), stdio: [...stdio] });
    const [code] = await once(child, 'exit');
    return code;
  }

  #where({ apiKey }: Pick<HouseAccount, 'apiKey'>) {
    return { env: { ...process.env, OCR_ROUTER_URL: this.#url, OCR_ROUTER_API_KEY: apiKey }, cwd: this.#cwd };
  }

  async run(account: Pick<HouseAccount, 'apiKey'>, ...args: string[]) {
    const child = this.start(account, ...args);
    const ended = once(child, 'exit');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    return { code, output, errors };
  }
}
