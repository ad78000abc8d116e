import type { AdapterType } from '../../model/adapter-type.ts';
import type { Engine } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import { HttpAdapter, type Protocol } from '../http/http-adapter.ts';
import { askedPages } from '../http/input.ts';
import { allowedTokens } from '../llm/output-cap.ts';
import { readMessage } from './answer.ts';
import { type Dialect, forwardedNative, messagesRequest, ownCap } from './body.ts';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';
const VERSION = '2023-06-01';
/** Limits of a picture. The provider's 5 MB are of the base64 string, which has 4 characters for 3 bytes. */
const LIMITS = { maxBytes: ((5 * 1024 * 1024) / 4) * 3, maxSide: 8000 };

const NATIVE: NativeRules = {
  passes: ['temperature', 'top_p', 'top_k', 'stop_sequences', 'max_tokens', 'thinking', 'output_config.effort'],
  reserved: [
    ...['model', 'messages', 'stream', 'tools', 'tool_choice', 'mcp_servers', 'container', 'context_management'],
    ...['service_tier', 'betas'],
  ],
};

/** Claude models by Anthropic's Messages API. */
export const anthropic: AdapterType = {
  name: 'anthropic',
  local: false,
  readsAllPages: true,
  writesText: true,
  languageFamily: 'prompt',
  native: NATIVE,
  forwards: (settings, pages) => ({ ...settings, native: forwardedNative(settings, pages).native }),
  needs: ['model', 'apiKey'],
  open: (engine, { http }) => new HttpAdapter(http, messages(engine)),
};

function messages(engine: Engine): Protocol<Dialect> {
  return {
    url: `${engine.baseUrl ?? DEFAULT_BASE_URL}/v1/messages`,
    headers: { 'anthropic-version': VERSION, 'x-api-key': engine.apiKey ?? '' },
    secret: engine.apiKey,
    takesDocuments: true,
    limits: LIMITS,
    firstDialect: { temperature: true },
    request: (input, settings, dialect) => messagesRequest(engine.model ?? '', { input, settings, dialect }),
    read: (answer, input) => readMessage(answer, input, engine.apiKey),
    adapt(dialect, { status, message }, input, native) {
      if (status !== 400) return null;
      const sendsOwn = dialect.temperature && !('temperature' in native);
      // Most models that refuse a temperature think unasked; the others get room that they do not need.
      if (sendsOwn && /\btemperature\b/.test(message)) return { ...dialect, temperature: false, reasons: true };
      if ('max_tokens' in native || dialect.allowed !== undefined) return null;
      const wish = { native, ...(engine.pageOutputTokens != null && { pageOutputTokens: engine.pageOutputTokens }) };
      const allowed = allowedTokens(message, ownCap(askedPages(input).length, wish, dialect));
      return allowed === null ? null : { ...dialect, allowed };
    },
    learn: (dialect, { reasoned }) => (reasoned && !dialect.reasons ? { ...dialect, reasons: true } : null),
    // The output filter answers with an error after the model has run, and does not say what that cost.
    billed: (ending) => (ending.kind === 'refused' ? 'unknown' : 'no'),
  };
}
