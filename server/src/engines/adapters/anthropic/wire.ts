import { KEY, LOOP, PROSE_REFUSAL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { anthropic } from './adapter.ts';

export const wire: Wire = {
  adapter: anthropic,
  engine: { model: 'claude-1' },
  basePath: '',
  usage: { inputTokens: 1000, outputTokens: 20 },
  attack: { model: 'm', messages: [], stream: true, tools: [], mcp_servers: [{ url: 'http://inside/' }] },
  filteredBilled: 'unknown', // Claude has run by then
  answers: {
    ok: message(TEXT, 'end_turn'),
    empty: message(null, 'end_turn'),
    refused: message(null, 'refusal'),
    truncated: message(TEXT.slice(0, 5), 'max_tokens'),
    rateLimited: fault(429, 'rate_limit_error', 'Number of requests has exceeded your limit'),
    serverError: fault(500, 'api_error', 'Internal server error'),
    badCredentials: fault(401, 'authentication_error', `invalid x-api-key ${KEY}`),
    unreadable: fault(400, 'invalid_request_error', 'messages.0.content.0: Could not process image'),
    noQuota: fault(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
    filtered: fault(400, 'invalid_request_error', 'Output blocked by content filtering policy'),
    proseRefusal: message(PROSE_REFUSAL, 'end_turn'),
    cutBeforeText: message(null, 'max_tokens'),
    loop: message(LOOP, 'end_turn'),
    noReason: message(TEXT, null),
    unknownReason: message(TEXT, 'tired'),
  },
};

function message(text: string | null, stop_reason: string | null): WireAnswer {
  return {
    status: 200,
    headers: { 'request-id': 'req_1' },
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-1-2026',
      content: text === null ? [] : [{ type: 'text', text }],
      stop_reason,
      stop_sequence: null,
      usage: {
        input_tokens: 400,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 500,
        output_tokens: 20,
      },
    },
  };
}

function fault(status: number, type: string, words: string): WireAnswer {
  const body = { type: 'error', error: { type, message: words }, request_id: 'req_1' };
  return { status, headers: { 'request-id': 'req_1' }, body };
}
