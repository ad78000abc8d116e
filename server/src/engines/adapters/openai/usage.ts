import { z } from 'zod';
import type { Usage } from '../../model/engine.ts';
import { tokenCount, tokenUsage } from '../llm/token-usage.ts';

/** Reasoning that stands beside the completion, as the total then tells. */
const BESIDE = z
  .object({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
    completion_tokens_details: z.object({ reasoning_tokens: z.number().positive() }),
  })
  .refine(
    (usage) =>
      usage.total_tokens ===
      usage.prompt_tokens + usage.completion_tokens + usage.completion_tokens_details.reasoning_tokens,
  );

/**
 * The usage of a chat completion. Cached tokens are within the prompt's. Reasoning is within the completion's at OpenAI
 * and beside it at some others; it is billed as output at all of them.
 */
export function completionUsage(raw: unknown): Usage | null {
  const usage = tokenUsage(raw, { input: ['prompt_tokens'], output: ['completion_tokens'] });
  if (!usage || !('completion_tokens_details' in (raw as object))) return usage;
  const beside = BESIDE.safeParse(raw).data;
  if (!beside) return usage;
  const { completion_tokens, completion_tokens_details } = beside;
  const reasoningApart = completion_tokens_details.reasoning_tokens;
  return { ...usage, outputTokens: tokenCount(completion_tokens + reasoningApart), reasoningApart };
}
