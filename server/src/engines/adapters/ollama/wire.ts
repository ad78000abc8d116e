import { KEY, LOOP, PROSE_REFUSAL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { ollama } from './adapter.ts';

export const wire: Wire = {
  adapter: ollama,
  engine: { model: 'ocr:3b' },
  basePath: '',
  usage: { inputTokens: 1000, outputTokens: 20 },
  attack: { model: 'm', messages: [], stream: true, tools: [], images: [] },
  answers: {
    ok: chat(TEXT, { done_reason: 'stop', eval_count: 20 }),
    empty: chat('', {}),
    refused: chat(PROSE_REFUSAL, { done_reason: 'stop', eval_count: 12 }),
    truncated: chat(TEXT.slice(0, 5), { done_reason: 'length', eval_count: 8192 }),
    rateLimited: fault(429, 'too many requests'),
    serverError: fault(500, 'llama runner process has terminated: exit status 2'),
    badCredentials: fault(401, `unauthorized: ${KEY}`),
    unreadable: fault(400, 'Failed to load image or audio file'),
    noQuota: null,
    filtered: null,
    proseRefusal: chat(PROSE_REFUSAL, { done_reason: 'stop', eval_count: 12 }),
    cutBeforeText: chat('', { done_reason: 'length', eval_count: 8192 }),
    loop: chat(LOOP, { done_reason: 'stop', eval_count: 120 }),
    noReason: chat(TEXT, { eval_count: 20 }),
    unknownReason: chat(TEXT, { done_reason: 'tired', eval_count: 20 }),
  },
};

function chat(content: string, more: object): WireAnswer {
  const message = { role: 'assistant', content };
  const body = { model: 'ocr:3b', created_at: '2026-11-20T10:00:00Z', message, done: true, ...more };
  return { status: 200, body: { ...body, total_duration: 5_000_000, prompt_eval_count: 1000 } };
}

function fault(status: number, error: string): WireAnswer {
  return { status, body: { error } };
}
