import type { Dispatcher } from 'undici';
import type { Adapter, AdapterType, Engine, EngineInput, EngineSettings, Reading } from '../engine.ts';
import { exchange } from './exchange.ts';
import { type Fault, httpEnding, readFault } from './http-failure.ts';
import { readCompletion } from './openai-answer.ts';
import { chatRequest, type Dialect } from './openai-body.ts';
import { unread } from './unread.ts';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const OPENAI_HOST = /(?:^|\.)openai\.com$/;
const REJECTED_PARAMETER = ['unsupported_parameter', 'unsupported_value'];

/** Chat completions with a picture, at OpenAI or any server that speaks the same: vLLM, llama.cpp, LM Studio, OpenRouter. */
export const openai: AdapterType = {
  name: 'openai',
  local: false,
  languageFamily: 'prompt',
  missing({ baseUrl, apiKey, model }) {
    if (!model) return 'model is missing';
    if (baseUrl !== null && !URL.canParse(baseUrl)) return 'base_url is not an address';
    const needsKey = OPENAI_HOST.test(new URL(baseUrl ?? DEFAULT_BASE_URL).hostname);
    return needsKey && !apiKey ? 'api_key is missing' : null;
  },
  open: (engine, { http }) => new ChatCompletions(engine, http),
};

class ChatCompletions implements Adapter {
  readonly #http: Dispatcher;
  readonly #url: string;
  readonly #model: string;
  readonly #apiKey: string | null;
  readonly #headers: Readonly<Record<string, string>>;
  #dialect: Dialect;

  constructor(engine: Engine, http: Dispatcher) {
    const base = (engine.baseUrl ?? DEFAULT_BASE_URL).replace(/\/+$/, '');
    this.#http = http;
    this.#url = `${base}/chat/completions`;
    this.#model = engine.model ?? '';
    this.#apiKey = engine.apiKey;
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(engine.apiKey && { authorization: `Bearer ${engine.apiKey}` }),
    };
    const isOpenAi = OPENAI_HOST.test(new URL(base).hostname);
    this.#dialect = { outputCap: isOpenAi ? 'max_completion_tokens' : 'max_tokens', temperature: true };
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    const dialect = this.#dialect;
    const { body, warnings } = chatRequest(this.#model, input, settings, dialect);
    const answer = await exchange(this.#http, { url: this.#url, headers: this.#headers, body }, signal);
    if (answer.kind === 'no answer') return unread({ ending: answer.ending, billed: answer.billed, warnings });
    if (answer.status >= 200 && answer.status < 300) {
      const reading = readCompletion(answer, input, this.#apiKey);
      return { ...reading, warnings: [...warnings, ...reading.warnings] };
    }
    const fault = readFault(answer.status, answer.text);
    const learned = adapt(dialect, fault, settings.native);
    if (learned) {
      // The provider looked at the parameters only, and bills nothing for it. Each rejection narrows the dialect.
      this.#dialect = learned;
      return this.read(input, settings, signal);
    }
    const providerRequestId = answer.header('x-request-id');
    return unread({ ending: httpEnding(fault, this.#apiKey), billed: 'no', providerRequestId, warnings });
  }
}

/** The dialect without the parameter that the server rejects; null when it is none of ours, so that asking again is no use. */
function adapt(dialect: Dialect, fault: Fault, native: EngineSettings['native']): Dialect | null {
  const { param } = fault;
  if (param === null || param in native || !fault.codes.some((code) => REJECTED_PARAMETER.includes(code))) return null;
  if (param === 'temperature' && dialect.temperature) return { ...dialect, temperature: false };
  if (param === 'max_tokens' && dialect.outputCap === param) return { ...dialect, outputCap: 'max_completion_tokens' };
  return null;
}
