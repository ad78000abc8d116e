import { z } from 'zod';
import type { EngineInput, Reading } from '../../model/engine.ts';
import { parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { type Finish, readModelAnswer } from '../llm/model-answer.ts';
import { tokenUsage, type UsageNames } from '../llm/token-usage.ts';

const words = z.string().nullish().catch(null);

const MESSAGE = z.object({
  id: words,
  model: words,
  stop_reason: words,
  stop_details: z.object({ explanation: words }).nullish().catch(null),
  content: z.array(z.unknown()),
  usage: z.unknown().optional(),
});
const THOUGHT_BLOCK = z.object({ type: z.enum(['thinking', 'redacted_thinking']) });
const TEXT_BLOCK = z.object({ type: z.literal('text'), text: z.string() });

/** Names of the counts: cached input stands beside the other input, thinking is within the output. */
const USAGE: UsageNames = {
  input: ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
  output: ['output_tokens'],
};
const FINISHED = ['end_turn', 'stop_sequence'];
const CUT_OFF = ['max_tokens', 'model_context_window_exceeded'];

/** Reads a message that came with HTTP 2xx. `secret` never appears in the reading. */
export function readMessage(answer: HttpAnswer, input: EngineInput, secret: string | null): Reading {
  const json = parseJson(answer.text);
  const message = MESSAGE.safeParse(json);
  if (!message.success) return malformedAnswer(answer, json, { secret, shape: 'a message' });
  const { id, model, content, stop_reason, stop_details, usage } = message.data;
  const used = tokenUsage(usage, USAGE);
  // A request that is refused before Claude has written anything is not billed, though its usage counts the input.
  const isFree = stop_reason === 'refusal' && content.length === 0 && used?.outputTokens === 0;
  return readModelAnswer(
    {
      text: content.flatMap((block) => TEXT_BLOCK.safeParse(block).data?.text ?? []).join(''),
      finish: finishOf(stop_reason ?? null, stop_details?.explanation ?? null),
      usage: used,
      billed: isFree ? 'no' : 'yes',
      providerRequestId: answer.header('request-id') ?? id ?? null,
      modelVersion: model ?? null,
      reasoned: content.some((block) => THOUGHT_BLOCK.safeParse(block).success),
    },
    input,
  );
}

function finishOf(reason: string | null, explanation: string | null): Finish {
  if (reason === 'refusal') return { kind: 'refused', words: explanation };
  if (reason === null || FINISHED.includes(reason)) return { kind: 'done' };
  return CUT_OFF.includes(reason) ? { kind: 'limit' } : { kind: 'unknown', reason };
}
