import type { TextractClientConfig } from '@aws-sdk/client-textract';
import type { Dispatcher } from 'undici';
import { exchange, type HttpAnswer, type NoAnswer } from '../http/exchange.ts';

type Handler = Extract<TextractClientConfig['requestHandler'], { handle: unknown }>;
type Handle = Handler['handle'];

/** Carries an answer that is no success, or the failure to get one, through the SDK. */
export class Unanswered extends Error {
  readonly outcome: HttpAnswer | NoAnswer;

  constructor(outcome: HttpAnswer | NoAnswer) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** Sends calls that the SDK has signed by the service's own client, as every other adapter's. */
export class ExchangeHandler {
  readonly #http: Dispatcher;

  constructor(http: Dispatcher) {
    this.#http = http;
  }

  async handle(
    request: Parameters<Handle>[0],
    options?: { abortSignal?: unknown },
  ): Promise<Awaited<ReturnType<Handle>>> {
    const { protocol, hostname, port, path, headers, body } = request;
    const url = `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`;
    const signal = options?.abortSignal as AbortSignal; // the one that the adapter gave to send()
    const answer = await exchange(this.#http, { url, headers, body }, signal);
    if (answer.kind === 'no answer' || answer.status < 200 || answer.status > 299) throw new Unanswered(answer);
    const known = ['content-type', 'x-amzn-requestid'].flatMap((name) => {
      const value = answer.header(name);
      return value === null ? [] : [[name, value]];
    });
    return {
      response: { statusCode: answer.status, headers: Object.fromEntries(known), body: Buffer.from(answer.text) },
    };
  }

  updateHttpClientConfig(): void {
    // The service's own client has its settings already.
  }

  httpHandlerConfigs() {
    return {};
  }
}
