import { KEY, LOOP, PROSE_REFUSAL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { openai } from './adapter.ts';

export const wire: Wire = {
  adapter: openai,
  engine: { model: 'm-1' },
  basePath: '/v1',
  usage: { inputTokens: 1000, outputTokens: 20 },
  attack: {
    model: 'm',
    messages: [],
    n: 64,
    stream: true,
    tools: [],
    functions: [],
    prompt: 'p',
    web_search_options: {},
  },
  answers: {
    ok: completion({ content: TEXT }, 'stop'),
    empty: completion({ content: '' }, 'stop'),
    refused: completion({ content: null, refusal: 'I will not.' }, 'stop'),
    truncated: completion({ content: TEXT.slice(0, 5) }, 'length'),
    rateLimited: { ...fault(429, 'rate_limit_exceeded', 'Rate limit reached'), headers: { 'retry-after': '7' } },
    serverError: fault(500, 'server_error', 'The server had an error'),
    badCredentials: fault(401, 'invalid_api_key', `Incorrect API key provided: ${KEY}`),
    unreadable: fault(400, 'image_parse_error', 'The image could not be parsed'),
    noQuota: fault(429, 'insufficient_quota', 'You exceeded your current quota'),
    filtered: fault(400, 'content_filter', 'The response was filtered due to the content management policy'),
    proseRefusal: completion({ content: PROSE_REFUSAL }, 'stop'),
    cutBeforeText: completion({ content: null }, 'length'),
    loop: completion({ content: LOOP }, 'stop'),
    noReason: completion({ content: TEXT }, null),
    unknownReason: completion({ content: TEXT }, 'tired'),
  },
};

function completion(message: object, finish_reason: string | null): WireAnswer {
  const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }];
  return { status: 200, body: { id: 'chatcmpl-1', object: 'chat.completion', model: 'm-1-2026', choices, usage } };
}

function fault(status: number, code: string, message: string): WireAnswer {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } };
}
