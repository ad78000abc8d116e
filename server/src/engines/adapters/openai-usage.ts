import { z } from 'zod';
import type { Usage } from '../engine.ts';
import { tokenUsage } from './llm/token-usage.ts';

const REASONING = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  completion_tokens_details: z.object({ reasoning_tokens: z.number().positive() }),
});

/**
 * The usage of a chat completion. Cached tokens are within the prompt's. Reasoning is within the completion's at OpenAI,
 * beside it at some others, as the total then tells; it is billed as output at all of them.
 */
export function completionUsage(raw: unknown): Usage | null {
  const usage = tokenUsage(raw, { input: ['prompt_tokens'], output: ['completion_tokens'] });
  const reasoning = REASONING.safeParse(raw).data;
  if (usage?.outputTokens == null || !reasoning) return usage;
  const { reasoning_tokens: beside } = reasoning.completion_tokens_details;
  const isBeside = reasoning.total_tokens === reasoning.prompt_tokens + reasoning.completion_tokens + beside;
  return isBeside ? { ...usage, outputTokens: usage.outputTokens + beside } : usage;
}
