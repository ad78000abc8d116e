import { z } from 'zod';
import type { EngineInput, Reading, Usage } from '../../model/engine.ts';
import { parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { type Finish, readModelAnswer } from '../llm/model-answer.ts';
import { tokenUsage } from '../llm/token-usage.ts';

const words = z.string().nullish().catch(null);

const CHAT = z.object({
  model: words,
  message: z.object({ content: words }),
  done_reason: words,
});
/** Names of the counts, which stand at the top level of Ollama's answer. */
const COUNTS = z.object({
  prompt_eval_count: z.unknown().optional(),
  eval_count: z.unknown().optional(),
  total_duration: z.unknown().optional(),
  load_duration: z.unknown().optional(),
  prompt_eval_duration: z.unknown().optional(),
  eval_duration: z.unknown().optional(),
});

/** Reads a chat's answer that came with HTTP 2xx. `secret` never appears in the reading. */
export function readChat(answer: HttpAnswer, input: EngineInput, secret: string | null): Reading {
  const json = parseJson(answer.text);
  const chat = CHAT.safeParse(json);
  if (!chat.success) return malformedAnswer(answer, json, { secret, shape: 'a chat' });
  const { model, message, done_reason } = chat.data;
  return readModelAnswer(
    {
      text: message.content ?? '',
      finish: finishOf(done_reason ?? null),
      usage: usageOf(json),
      billed: 'yes',
      providerRequestId: null,
      modelVersion: model ?? null,
    },
    input,
  );
}

function usageOf(json: unknown): Usage | null {
  const counts = COUNTS.parse(json);
  if (counts.prompt_eval_count === undefined && counts.eval_count === undefined) return null;
  return tokenUsage(counts, { input: ['prompt_eval_count'], output: ['eval_count'], zeroIsAbsent: true });
}

function finishOf(reason: string | null): Finish {
  if (reason === null || reason === 'stop') return { kind: 'done' };
  return reason === 'length' ? { kind: 'limit' } : { kind: 'unknown', reason };
}
