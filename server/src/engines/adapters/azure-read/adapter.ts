import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Adapter, AdapterType } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings, Reading } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import { withOwnLanguage } from '../../model/own-language.ts';
import { unread } from '../../model/reading.ts';
import { bodyWith, encodeBody } from '../http/document-body.ts';
import { exchange, type HttpAnswer } from '../http/exchange.ts';
import { bytesOf, fitInput } from '../http/input.ts';
import { faultReading, pollDelayMs, readOperation, type Sought } from './answer.ts';
import { analyzeQuery } from './query.ts';

const DEFAULT_MODEL = 'prebuilt-read';
const LIMITS = { maxBytes: 36 * 1024 * 1024, maxSide: 10_000 };
const NATIVE: NativeRules = {
  // Add-ons (`features`) have prices of their own: an operator opens them with `native_allow`.
  passes: ['locale'],
  reserved: ['api-version', 'pages', 'stringIndexType', 'output', 'base64Source', 'urlSource', 'split', '_overload'],
};

/** Most polls in a row that may fail: the analysis goes on meanwhile, and is paid for. */
const MAX_FAILED_POLLS = 3;

/** Longest time for polling, in ms. An analysis that takes longer is given up, because polls count against the account's rate. */
const MAX_POLLING_MS = 120_000;

/** How long the removal of a result may take; nothing waits for it. */
const REMOVAL_MS = 5000;

/** Azure Document Intelligence 4.0: submits the file and polls for its text. */
export const azureRead = azureReadWithin(MAX_POLLING_MS);

/** The adapter with another limit for the pauses between polls, in all. */
export function azureReadWithin(maxPollingMs: number): AdapterType {
  return {
    name: 'azure-read',
    local: false,
    languageFamily: 'bcp-47',
    native: NATIVE,
    forwards: (settings) => withOwnLanguage(settings, settings.native['locale']),
    needs: ['baseUrl', 'apiKey'],
    open: (engine, { http }) => new AzureRead(http, engine, maxPollingMs),
  };
}

class AzureRead implements Adapter {
  readonly #http: Dispatcher;
  readonly #url: string;
  readonly #key: string;
  readonly #maxPollingMs: number;

  constructor(http: Dispatcher, { baseUrl, apiKey, model }: Engine, maxPollingMs: number) {
    this.#http = http;
    this.#maxPollingMs = maxPollingMs;
    const path = encodeURIComponent(model ?? DEFAULT_MODEL);
    this.#url = `${baseUrl}/documentintelligence/documentModels/${path}:analyze`;
    this.#key = apiKey ?? '';
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    const { fitting, notes } = await fitInput(input, LIMITS, signal);
    const query = analyzeQuery(input, settings);
    const headers = { ...this.#headers(), 'content-type': 'application/json' };
    const body = await encodeBody(bodyWith(bytesOf(fitting), (base64Source) => ({ base64Source })));
    const answer = await exchange(this.#http, { url: `${this.#url}?${query}`, headers, body }, signal);
    const reading =
      answer.kind === 'no answer'
        ? unread({ ending: answer.ending, billed: answer.billed })
        : await this.#follow(
            answer,
            { input: fitting, positions: settings.positions ?? false, tables: settings.tables ?? false },
            signal,
          );
    return { ...reading, warnings: [...notes, ...reading.warnings] };
  }

  async #follow(submitted: HttpAnswer, asked: Polling['asked'], signal: AbortSignal): Promise<Reading> {
    if (submitted.status < 200 || submitted.status > 299) return faultReading(submitted, this.#key, 'no');
    const location = submitted.header('operation-location');
    if (location === null) return strange('The engine’s answer does not say where its result will be.', true);
    // The key goes nowhere else than where the operator sent it.
    if (!isSameOrigin(location, this.#url)) return strange('The engine’s result is at a foreign address.', false);
    try {
      return await this.#poll(location, { last: submitted, asked, signal });
    } finally {
      void this.#remove(location);
    }
  }

  /**
   * Asks Azure to delete the file and its result, which it keeps for a day otherwise. It is asked however the reading ended
   * (done, cancelled, out of time); its answer changes nothing here.
   */
  async #remove(url: string): Promise<void> {
    const call = { method: 'DELETE', url, headers: this.#headers() } as const;
    await exchange(this.#http, call, AbortSignal.timeout(REMOVAL_MS)).catch(() => undefined);
  }

  /** Polls until the analysis has ended, the signal aborts, or the pauses are longer than allowed. */
  async #poll(url: string, { last, asked, signal }: Polling): Promise<Reading> {
    let delayMs = pollDelayMs(last);
    let waitedMs = 0;
    for (let failed = 0; ; ) {
      waitedMs += delayMs;
      if (waitedMs > this.#maxPollingMs) return endless();
      await pause(delayMs, signal);
      const answer = await exchange(this.#http, { method: 'GET', url, headers: this.#headers() }, signal);
      if (answer.kind === 'answer' && answer.status === 200) {
        const reading = readOperation(answer, asked, this.#key);
        if (reading !== 'running') return reading;
        failed = 0;
      } else {
        failed++;
        const reading =
          answer.kind === 'answer'
            ? faultReading(answer, this.#key, 'unknown')
            : unread({ ending: answer.ending, billed: 'unknown' });
        const isTemporary = reading.ending.kind === 'failed' && reading.ending.temporary;
        if (!isTemporary || failed >= MAX_FAILED_POLLS) return reading;
      }
      delayMs = answer.kind === 'answer' ? pollDelayMs(answer) : delayMs;
    }
  }

  #headers() {
    return { accept: 'application/json', 'ocp-apim-subscription-key': this.#key };
  }
}

interface Polling {
  readonly last: HttpAnswer;
  readonly asked: Sought;
  readonly signal: AbortSignal;
}

function isSameOrigin(location: string, url: string): boolean {
  return URL.canParse(location) && new URL(location).origin === new URL(url).origin;
}

function strange(message: string, temporary: boolean): Reading {
  return unread({ ending: { kind: 'failed', message, temporary, httpStatus: null }, billed: 'unknown' });
}

/** The reading of an analysis that is given up: Azure may still finish it, and bills it then. */
function endless(): Reading {
  const message = 'The engine’s analysis did not end in time; it is not waited for any more.';
  return unread({ ending: { kind: 'timeout', message }, billed: 'unknown' });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw signal.reason; // the sleep's own error says only that it was aborted
  }
}
