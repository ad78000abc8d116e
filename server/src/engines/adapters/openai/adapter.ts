import type { AdapterType } from '../../model/adapter-type.ts';
import type { Engine, EngineSettings } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import type { Fault } from '../http/failure.ts';
import { bearer, HttpAdapter, type Protocol } from '../http/http-adapter.ts';
import { askedPages } from '../http/input.ts';
import { allowedTokens } from '../llm/output-cap.ts';
import { readCompletion } from './answer.ts';
import { chatRequest, type Dialect, forwardedNative, isCapped, mostOutput, ownCap } from './body.ts';
import { isAboutContext, roomAfter } from './context-room.ts';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** The host of Google, whose endpoint for OpenAI's clients counts thinking in the total alone. */
const GOOGLE_HOST = /(?:^|\.)googleapis\.com$/;
const OPENAI_HOST = /(?:^|\.)openai\.com$/;
/** Limits of a picture: OpenAI takes 20 MB, and a smaller one reads as well. */
const LIMITS = { maxBytes: 14 * 1024 * 1024, maxSide: Number.POSITIVE_INFINITY };
const REJECTED_PARAMETER = ['unsupported_parameter', 'unsupported_value'];
/** Words about a parameter that is known, but has too high a value. */
const SUPPORTS_LESS = /supports? (?:at most|up to|a maximum)/i;

const NATIVE: NativeRules = {
  passes: [
    ...['temperature', 'top_p', 'top_k', 'min_p', 'typical_p', 'seed', 'stop'],
    ...['presence_penalty', 'frequency_penalty', 'repetition_penalty', 'repeat_penalty', 'repeat_last_n'],
    ...['max_tokens', 'max_completion_tokens', 'reasoning_effort', 'verbosity'],
    // Models made for OCR need their own special tokens; others must be told not to think.
    ...['skip_special_tokens', 'chat_template_kwargs.enable_thinking'],
  ],
  reserved: [
    ...['model', 'models', 'messages', 'prompt', 'input', 'n', 'best_of', 'stream', 'stream_options'],
    ...['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call', 'web_search_options', 'plugins'],
    ...['modalities', 'audio', 'prediction', 'store', 'background', 'service_tier'],
  ],
};

/** Chat completions with a picture, at OpenAI or any compatible server: vLLM, llama.cpp, LM Studio, OpenRouter. */
export const openai: AdapterType = {
  name: 'openai',
  local: false,
  readsAllPages: true,
  writesText: true,
  languageFamily: 'prompt',
  native: NATIVE,
  forwards: (settings, pages) => ({ ...settings, native: forwardedNative(settings, pages).native }),
  needs: ['model'],
  problem: ({ baseUrl, apiKey }) =>
    !apiKey && OPENAI_HOST.test(new URL(baseUrl ?? DEFAULT_BASE_URL).hostname) ? 'api_key is missing' : null,
  open: (engine, { http }) => new HttpAdapter(http, chatCompletions(engine)),
};

function chatCompletions(engine: Engine): Protocol<Dialect> {
  const base = engine.baseUrl ?? DEFAULT_BASE_URL;
  const { hostname } = new URL(base);
  const isOpenAi = OPENAI_HOST.test(hostname);
  const isGoogle = GOOGLE_HOST.test(hostname);
  return {
    url: `${base}/chat/completions`,
    headers: bearer(engine.apiKey),
    secret: engine.apiKey,
    takesDocuments: true,
    limits: LIMITS,
    firstDialect: { outputCap: isOpenAi ? 'max_completion_tokens' : 'max_tokens', temperature: true },
    request: (input, settings, dialect) => chatRequest(engine.model ?? '', input, settings, dialect),
    read: (answer, input, settings, dialect) =>
      readCompletion(
        answer,
        { input, mostThought: isGoogle ? mostOutput(input, settings, dialect) : 0 },
        engine.apiKey,
      ),
    adapt(dialect, fault, input, native) {
      const asksOwn = fault.status === 400 && !isCapped(native);
      const wish = { native, ...(engine.pageOutputTokens != null && { pageOutputTokens: engine.pageOutputTokens }) };
      const capOf = (known: Dialect) => ownCap(askedPages(input).length, wish, known);
      const asked = capOf(dialect);
      return (
        (asksOwn ? withLess(dialect, fault, asked) : null) ??
        withoutRejected(dialect, fault, native) ??
        (asksOwn && capOf(withoutReasoning(dialect)) < asked && isAboutTokens(fault) ? withoutReasoning(dialect) : null)
      );
    },
    lasting: ofOtherPages,
    learn: (dialect, { reasoned }) =>
      reasoned && dialect.reasons === undefined ? { ...ofOtherPages(dialect), reasons: true } : null,
  };
}

function ofOtherPages({ room: _ofThisPage, ...dialect }: Dialect): Dialect {
  return dialect;
}

/** The dialect without room to reason, for a server that refuses so many tokens and does not say how many it takes. */
function withoutReasoning(dialect: Dialect): Dialect {
  return { ...dialect, reasons: false };
}

function isAboutTokens({ message }: Fault): boolean {
  return /token|context/i.test(message);
}

/** The dialect that asks for fewer tokens than the server rejects; null where it rejects something else. */
function withLess(dialect: Dialect, { message }: Fault, asked: number): Dialect | null {
  if (isAboutContext(message)) {
    const room = roomAfter(message, asked);
    return room === null ? null : { ...dialect, room };
  }
  const allowed = allowedTokens(message, asked);
  return allowed === null ? null : { ...dialect, allowed };
}

/** The dialect without the parameter that the server rejects; null where that is not one of the gateway's. */
function withoutRejected(dialect: Dialect, fault: Fault, native: EngineSettings['native']): Dialect | null {
  const isOurs = (name: string) => !(name in native) && rejects(fault, name);
  if (dialect.temperature && isOurs('temperature')) return { ...dialect, temperature: false, reasons: true };
  if (dialect.outputCap === 'max_tokens' && !isCapped(native) && isOurs('max_tokens'))
    return { ...dialect, outputCap: 'max_completion_tokens' };
  return null;
}

/** Whether the fault rejects this parameter. Proxies leave the code out, or the name of the parameter: then the words tell. */
function rejects({ status, codes, param, message }: Fault, name: string): boolean {
  if (param === name && codes.some((code) => REJECTED_PARAMETER.includes(code))) return true;
  const isNamed = param === null ? new RegExp(`\\b${name}\\b`).test(message) : param === name;
  return status === 400 && isNamed && /support/i.test(message) && !SUPPORTS_LESS.test(message);
}
