import { z } from 'zod';
import type { Ending, EngineInput, PageReading, Reading, Usage } from '../engine.ts';
import { hasTextBesidesImages } from '../image-markup.ts';
import type { HttpAnswer } from './exchange.ts';
import { httpEnding, readFault } from './http-failure.ts';
import { cleanAnswer } from './llm/clean-answer.ts';
import { splitPages } from './llm/page-marks.ts';
import { isProseRefusal } from './llm/prose-refusal.ts';
import { tokenUsage } from './llm/token-usage.ts';
import { unread } from './unread.ts';

const words = z.string().nullish().catch(null);

const COMPLETION = z.object({
  id: words,
  model: words,
  usage: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        finish_reason: words,
        message: z.object({
          content: z
            .union([z.string(), z.array(z.unknown())])
            .nullish()
            .catch(null),
          refusal: words,
        }),
      }),
    )
    .min(1),
});
const TEXT_PART = z.object({ type: z.enum(['text', 'output_text']), text: z.string() });
/** Some gateways report a provider's failure inside an HTTP 200. */
const HIDDEN_ERROR = z.object({ error: z.object({ code: z.unknown().optional() }) });

const FINISHED = ['stop', 'eos', 'end_turn'];
const CUT_OFF = ['length', 'max_tokens'];
const QUOTED_LENGTH = 200;

/** Reads a completion that came with HTTP 2xx, its ending before its text. `secret` never appears in a message. */
export function readCompletion(answer: HttpAnswer, input: EngineInput, secret: string | null): Reading {
  const json = parseJson(answer.text);
  const completion = COMPLETION.safeParse(json);
  const providerRequestId = answer.header('x-request-id');
  if (!completion.success)
    return unread({ ending: malformed(json, answer.text, secret), billed: 'unknown', providerRequestId });
  const { id, model, usage: rawUsage, choices } = completion.data;
  const usage = tokenUsage(rawUsage, { input: 'prompt_tokens', output: 'completion_tokens' });
  const known = {
    usage,
    providerRequestId: providerRequestId ?? id ?? null,
    modelVersion: model ?? null,
    billed: 'yes' as const,
  };
  const [choice] = choices;
  const text = cleanAnswer(joinContent(choice?.message.content));
  const finish = choice?.finish_reason ?? null;
  const ending = endingOf(text, finish, choice?.message.refusal ?? '', usage);
  if (ending.kind !== 'ok' && ending.kind !== 'truncated') return unread({ ...known, ending });
  const { pages, warnings } = readPages(text, input);
  if (ending.kind === 'ok' && finish !== null && !FINISHED.includes(finish)) {
    warnings.push(`The engine gave an unknown reason for ending: "${finish.slice(0, 40)}".`);
  }
  return unread({ ...known, ending, pages, warnings });
}

/** In this order: a refusal may come with text, and a model that used all its tokens for thinking has none. */
function endingOf(text: string, finish: string | null, refusal: string, usage: Usage | null): Ending {
  if (refusal !== '') return refused(refusal);
  if (finish === 'content_filter') return { kind: 'refused', message: 'The engine’s content filter refused the page.' };
  if (finish !== null && CUT_OFF.includes(finish)) {
    const spent = usage?.outputTokens ? ` after ${usage.outputTokens} tokens` : '';
    return { kind: 'truncated', message: `The engine stopped at its output limit${spent}; the text is incomplete.` };
  }
  if (finish === 'error') return failed('The engine’s provider broke off with an error.', true);
  if (isProseRefusal(text)) return refused(text);
  if (hasTextBesidesImages(text)) return { kind: 'ok' };
  if (finish === null || FINISHED.includes(finish)) return { kind: 'empty' };
  return failed(`The engine returned no text and gave an unknown reason for ending: "${finish.slice(0, 40)}".`, true);
}

function readPages(text: string, input: EngineInput): { pages: PageReading[]; warnings: string[] } {
  const page = { confidence: null, source: 'engine' } as const;
  if (input.kind === 'picture') return { pages: [{ number: input.page, text, ...page }], warnings: [] };
  const { pages, marked } = splitPages(text, input.pages);
  const warnings = marked
    ? []
    : [`The engine did not tell the pages apart: the text of all stands on page ${input.pages[0]}.`];
  return { pages: pages.map((part) => ({ ...part, ...page })), warnings };
}

function joinContent(content: string | unknown[] | null | undefined): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => TEXT_PART.safeParse(part).data?.text ?? []).join('');
}

function malformed(json: unknown, text: string, secret: string | null): Ending {
  const hidden = HIDDEN_ERROR.safeParse(json);
  if (!hidden.success) return failed('The engine’s answer has not the shape of a chat completion.', true);
  const code = Number(hidden.data.error.code);
  return httpEnding(readFault(code >= 400 && code < 600 ? code : 502, text), secret);
}

function refused(words: string): Ending {
  const quoted = words.trim().replace(/\s+/g, ' ').slice(0, QUOTED_LENGTH);
  return { kind: 'refused', message: `The engine refused to read the page: “${quoted}”` };
}

function failed(message: string, temporary: boolean): Ending {
  return { kind: 'failed', message, temporary, httpStatus: 200 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
