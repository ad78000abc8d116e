import { z } from 'zod';
import type { EngineInput, Reading } from '../../model/engine.ts';
import { parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { type Finish, readModelAnswer } from '../llm/model-answer.ts';
import { tokenUsage, type UsageNames } from '../llm/token-usage.ts';

const words = z.string().nullish().catch(null);
const list = z.array(z.unknown()).nullish().catch(null);

const RESPONSE = z
  .object({
    candidates: list,
    promptFeedback: z.object({ blockReason: words, blockReasonMessage: words }).nullish().catch(null),
    usageMetadata: z.unknown().optional(),
    modelVersion: words,
    responseId: words,
  })
  .refine((response) => response.candidates ?? response.promptFeedback ?? response.usageMetadata);
const CANDIDATE = z.object({
  finishReason: words,
  finishMessage: words,
  content: z.object({ parts: list }).nullish().catch(null),
});
const TEXT_PART = z.object({ text: z.string(), thought: z.boolean().nullish() });

/** Names of the counts: cached tokens are within the prompt's, thoughts beside the answer's and billed as output. */
const USAGE: UsageNames = {
  input: ['promptTokenCount', 'toolUsePromptTokenCount'],
  output: ['candidatesTokenCount', 'thoughtsTokenCount'],
  zeroIsAbsent: true,
};
const THOUGHTS = z.object({ thoughtsTokenCount: z.number().positive() });
const REFUSED = [
  ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'],
  ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_OTHER', 'IMAGE_RECITATION'],
];
const BROKEN = [
  ...['OTHER', 'MALFORMED_FUNCTION_CALL', 'NO_IMAGE', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'],
  ...['MISSING_THOUGHT_SIGNATURE', 'MALFORMED_RESPONSE'],
];

/** Reads an answer of generateContent that came with HTTP 2xx. `secret` never appears in the reading. */
export function readContent(answer: HttpAnswer, input: EngineInput, secret: string | null): Reading {
  const json = parseJson(answer.text);
  const response = RESPONSE.safeParse(json);
  if (!response.success) return malformedAnswer(answer, json, { secret, shape: 'generated content' });
  const { candidates, promptFeedback, usageMetadata, modelVersion, responseId } = response.data;
  const candidate = CANDIDATE.safeParse(candidates?.[0]).data;
  const blocked = promptFeedback?.blockReason;
  const usage = tokenUsage(usageMetadata, USAGE);
  return readModelAnswer(
    {
      text: textOf(candidate?.content?.parts ?? []),
      finish:
        candidate || !blocked
          ? finishOf(candidate?.finishReason ?? null, candidate?.finishMessage ?? null)
          : refusal(blocked, promptFeedback?.blockReasonMessage ?? null),
      usage,
      // A prompt that was blocked is billed when Google counts it.
      billed: candidate || usage ? 'yes' : 'unknown',
      providerRequestId: responseId ?? null,
      modelVersion: modelVersion ?? null,
    },
    input,
  );
}

/** Whether a usage has tokens of thoughts. */
export function hasThought(usageMetadata: unknown): boolean {
  return THOUGHTS.safeParse(usageMetadata).success;
}

function textOf(parts: readonly unknown[]): string {
  const texts = parts.flatMap((part) => TEXT_PART.safeParse(part).data ?? []);
  return texts.flatMap(({ text, thought }) => (thought ? [] : text)).join('');
}

function finishOf(reason: string | null, message: string | null): Finish {
  if (reason === null || reason === 'STOP' || reason === 'FINISH_REASON_UNSPECIFIED') return { kind: 'done' };
  if (reason === 'MAX_TOKENS') return { kind: 'limit' };
  if (REFUSED.includes(reason)) return refusal(reason, message);
  if (BROKEN.includes(reason)) return { kind: 'broken', message: `The engine broke off without a result (${reason}).` };
  return { kind: 'unknown', reason };
}

function refusal(reason: string, message: string | null): Finish {
  return { kind: 'refused', words: message ? `${reason}: ${message}` : reason };
}
