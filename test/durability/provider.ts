import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from '../../bench/child.ts';
import type { EngineEntry } from '../../server/src/engines/engines-file.ts';
import { freePorts } from '../house/free-ports.ts';
import { PRICES } from './marker.ts';
import type { LoggedCall } from './provider-process.ts';

/** Fewer than callers: some requests queue, and are claimed. */
export const PLACES = 3;

/** The provider's process, its log, and the engines that it is behind. */
export class Provider implements AsyncDisposable {
  readonly engines: readonly EngineEntry[];
  readonly #logFile: string;
  readonly #child: AsyncDisposable;

  private constructor(port: number, logFile: string, child: AsyncDisposable) {
    this.#logFile = logFile;
    this.#child = child;
    const token_prices = {
      input_per_million_usd: PRICES.inputPerMillionUsd,
      output_per_million_usd: PRICES.outputPerMillionUsd,
    };
    this.engines = [entry('flat', port), { ...entry('metered', port), token_prices }];
  }

  static async start(folder: string): Promise<Provider> {
    const [port = 0] = await freePorts(1);
    const logFile = join(folder, 'provider.jsonl');
    return new Provider(port, logFile, await startChild('test/durability/provider-process.ts', String(port), logFile));
  }

  async calls(): Promise<LoggedCall[]> {
    const lines = (await readFile(this.#logFile, 'utf8')).split('\n').filter((line) => line !== '');
    const calls = new Map<number, LoggedCall>();
    for (const line of lines) {
      const entry = JSON.parse(line) as LoggedCall; // our own log
      calls.set(entry.call, { ...calls.get(entry.call), ...entry });
    }
    return [...calls.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }
}

function entry(id: 'flat' | 'metered', port: number): EngineEntry {
  return {
    id,
    name: `Scripted ${id}`,
    provider: `provider-of-${id}`,
    adapter: 'openai',
    base_url: `http://127.0.0.1:${port}/${id}/v1`,
    api_key: 'provider-secret',
    model: 'scripted-1',
    price_per_page_usd: PRICES.perPageUsd,
    provider_cost_per_page_usd: PRICES.providerPerPageUsd,
    max_pages_per_request: 50,
    concurrency: PLACES,
    probe: false,
  };
}
