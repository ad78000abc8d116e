import { z } from 'zod';
import type { Usage } from '../../model/engine.ts';
import { tokenCount, tokenUsage } from '../llm/token-usage.ts';

/** A usage whose total shows that reasoning stands beside the completion. */
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

const COUNTED = z.object({ completion_tokens_details: z.object({ reasoning_tokens: z.number().positive() }) });
const COMPLETION = z.object({ completion_tokens: z.number() });

/** A usage without details, whose total may have what the completion leaves out. */
const TOTAL = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  completion_tokens_details: z.null().optional(),
});

/**
 * The usage of a chat completion. Cached tokens are within the prompt's. Reasoning is within the completion's at OpenAI, beside
 * it at some others, and at Google's compatible endpoint in the total alone; all bill it as output. A total that is larger than
 * an answer of `mostThought` tokens counts something else.
 */
export function completionUsage(raw: unknown, mostThought: number): Usage | null {
  const usage = tokenUsage(raw, { input: ['prompt_tokens'], output: ['completion_tokens'] });
  if (!usage) return usage;
  const counts = TOTAL.safeParse(raw).data;
  if (counts) {
    const output = counts.total_tokens - counts.prompt_tokens;
    const isMore = output > counts.completion_tokens && output <= mostThought;
    return isMore ? { ...usage, outputTokens: tokenCount(output) } : usage;
  }
  const beside = BESIDE.safeParse(raw).data;
  if (!beside) return usage;
  const { completion_tokens, completion_tokens_details } = beside;
  const reasoningApart = completion_tokens_details.reasoning_tokens;
  return { ...usage, outputTokens: tokenCount(completion_tokens + reasoningApart), reasoningApart };
}

/** Whether a usage has reasoning, be it only by a total larger than prompt and completion. */
export function countsReasoning(usage: Usage | null): boolean {
  if (COUNTED.safeParse(usage?.raw).success) return true;
  const completion = COMPLETION.safeParse(usage?.raw).data?.completion_tokens;
  return completion !== undefined && (usage?.outputTokens ?? 0) > completion;
}
