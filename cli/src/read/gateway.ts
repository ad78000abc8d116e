import { OcrRouter } from '@ocr-router/client';
import { type Command, Option } from 'commander';
import { say } from '../say.ts';
import { type LocalGateway, startLocalGateway } from './local-gateway.ts';
import { RetryPolicy } from './retry-policy.ts';

export interface GatewayOptions {
  readonly url?: string;
  readonly key?: string;
  readonly local?: boolean;
}

/** Adds the options that choose the gateway. */
export function withGateway(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'the gateway').env('OCR_ROUTER_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--key <key>', 'an API key').env('OCR_ROUTER_API_KEY'))
    .option('--local', 'starts a gateway for this run alone: no key, no cost, engines of this machine only');
}

/** Opens a client of the chosen gateway. A gateway that was started for it ends when it is disposed of. */
export async function openGateway({ url, key, local }: GatewayOptions): Promise<Gateway> {
  const own = local ? await startLocalGateway() : null;
  const options = own ? { url: own.url, apiKey: own.apiKey } : { ...(url && { url }), ...(key && { apiKey: key }) };
  const policy = new RetryPolicy(say); // it ends what is sent again, by time
  const retrying = { retries: Number.POSITIVE_INFINITY, onRetry: policy.onRetry, fetch: policy.over(fetch) };
  return new Gateway(new OcrRouter({ ...options, ...retrying }), own);
}

export class Gateway implements AsyncDisposable {
  readonly client: OcrRouter;
  readonly #own: LocalGateway | null;

  constructor(client: OcrRouter, own: LocalGateway | null) {
    this.client = client;
    this.#own = own;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#own?.[Symbol.asyncDispose]();
  }
}
