import { z } from 'zod';
import type { EngineInput, Reading } from '../../model/engine.ts';
import { parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { listOf } from '../http/list-of.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { type Finish, readModelAnswer } from '../llm/model-answer.ts';
import { completionUsage, countsReasoning } from './usage.ts';

const words = z.string().nullish().catch(null);

const COMPLETION = z.object({
  id: words,
  model: words,
  usage: z.unknown().optional(),
  choices: listOf(
    z.object({
      finish_reason: words,
      message: z.object({
        content: z
          .union([z.string(), z.array(z.unknown())])
          .nullish()
          .catch(null),
        refusal: words,
        // By the names of vLLM and DeepSeek, and of OpenRouter.
        reasoning_content: words,
        reasoning: words,
      }),
    }),
    1,
  ),
});
const TEXT_PART = z.object({ type: z.enum(['text', 'output_text']), text: z.string() });
const REFUSAL_PART = z.object({ type: z.literal('refusal'), refusal: z.string() });

/** The marks that cleanAnswer() takes for thinking. */
const THINKS = /^\s*<think>|<\/think>/;
const FINISHED = ['stop', 'eos', 'end_turn'];
const CUT_OFF = ['length', 'max_tokens'];

/** Reads a completion that came with HTTP 2xx, its ending before its text. `secret` never appears in a message. */
export function readCompletion(
  answer: HttpAnswer,
  { input, mostThought }: { input: EngineInput; mostThought: number },
  secret: string | null,
): Reading {
  const json = parseJson(answer.text);
  const completion = COMPLETION.safeParse(json);
  if (!completion.success) return malformedAnswer(answer, json, { secret, shape: 'a chat completion' });
  const { id, model, usage, choices } = completion.data;
  const [choice] = choices;
  const { text, refusal } = contentOf(choice?.message.content ?? '');
  const used = completionUsage(usage, mostThought);
  const thoughts = choice?.message.reasoning_content || choice?.message.reasoning;
  return readModelAnswer(
    {
      text,
      finish: finishOf(choice?.finish_reason ?? null, choice?.message.refusal || refusal),
      usage: used,
      billed: 'yes',
      providerRequestId: answer.header('x-request-id') ?? id ?? null,
      modelVersion: model ?? null,
      reasoned: countsReasoning(used) || Boolean(thoughts) || THINKS.test(text),
    },
    input,
  );
}

/** The reason for ending; a refusal may come with any. */
function finishOf(reason: string | null, refusal: string): Finish {
  if (refusal !== '') return { kind: 'refused', words: refusal };
  if (reason === 'content_filter') return { kind: 'refused', words: null };
  if (reason === null || FINISHED.includes(reason)) return { kind: 'done' };
  if (CUT_OFF.includes(reason)) return { kind: 'limit' };
  if (reason === 'error') return { kind: 'broken', message: 'The engine’s provider broke off with an error.' };
  return { kind: 'unknown', reason };
}

/** The text and the refusal of a message, which is one text or has parts. */
function contentOf(content: string | unknown[]): { text: string; refusal: string } {
  if (typeof content === 'string') return { text: content, refusal: '' };
  const texts = content.flatMap((part) => TEXT_PART.safeParse(part).data?.text ?? []);
  const refusals = content.flatMap((part) => REFUSAL_PART.safeParse(part).data?.refusal ?? []);
  return { text: texts.join(''), refusal: refusals.join('') };
}
