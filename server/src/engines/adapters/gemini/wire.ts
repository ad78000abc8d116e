import { KEY, LOOP, PROSE_REFUSAL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { gemini } from './adapter.ts';

export const wire: Wire = {
  adapter: gemini,
  engine: { model: 'gemini-1' },
  basePath: '',
  usage: { inputTokens: 1000, outputTokens: 20 },
  attack: {
    ...{ contents: [], tools: [], tool_config: {}, cachedContent: 'c', cached_content: 'c', model: 'm' },
    generationConfig: { candidateCount: 8, candidate_count: 8, responseModalities: ['IMAGE'] },
    generation_config: { candidateCount: 8 },
  },
  answers: {
    ok: content([{ text: 'Let me look.', thought: true }, { text: TEXT }], 'STOP'),
    empty: content([], 'STOP'),
    refused: content([], 'RECITATION'),
    truncated: content([{ text: TEXT.slice(0, 5) }], 'MAX_TOKENS'),
    rateLimited: fault(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted'),
    serverError: fault(503, 'UNAVAILABLE', 'The model is overloaded'),
    badCredentials: fault(400, 'INVALID_ARGUMENT', `API key not valid: ${KEY}`, 'API_KEY_INVALID'),
    unreadable: fault(400, 'INVALID_ARGUMENT', 'Unable to process input image.'),
    // Google says the same of a rate and of a quota, and filters with HTTP 200.
    noQuota: null,
    filtered: null,
    proseRefusal: content([{ text: PROSE_REFUSAL }], 'STOP'),
    cutBeforeText: content([], 'MAX_TOKENS'),
    loop: content([{ text: LOOP }], 'STOP'),
    noReason: content([{ text: TEXT }], null),
    unknownReason: content([{ text: TEXT }], 'TIRED'),
  },
};

function content(parts: object[], finishReason: string | null): WireAnswer {
  return {
    status: 200,
    body: {
      candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }), index: 0 }],
      usageMetadata: {
        promptTokenCount: 1000,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 5,
        totalTokenCount: 1020,
      },
      modelVersion: 'gemini-1-2026',
      responseId: 'resp_1',
    },
  };
}

function fault(code: number, status: string, message: string, reason?: string): WireAnswer {
  const details = reason ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] : [];
  return { status: code, body: { error: { code, message, status, details } } };
}
