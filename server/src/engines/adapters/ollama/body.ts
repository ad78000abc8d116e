import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { withNative } from '../http/native-fields.ts';
import { PAGE_TOKENS, withinLimits } from '../llm/output-cap.ts';
import { transcriptionPrompt } from '../llm/prompt.ts';

/**
 * Limits of tokens, for the picture, the prompt and a page of text: Ollama silently cuts off what goes beyond its much smaller
 * default.
 */
function limitsOf({ pageOutputTokens = PAGE_TOKENS }: EngineSettings) {
  return { num_ctx: PAGE_TOKENS + pageOutputTokens, num_predict: pageOutputTokens };
}

/**
 * The JSON body of a chat. The native_settings that pass win over the gateway's fields, token limits only where they are lower.
 */
export function chatRequest(model: string, input: EngineInput, settings: EngineSettings) {
  const { native, warnings } = forwardedNative(settings);
  const options = { temperature: 0, ...limitsOf(settings) };
  const whole = { ...withNative({ model, options }, native), stream: false };
  if (input.kind === 'document') throw new Error('a chat takes pictures only');
  // Joined by hand: JSON.stringify would look at every character of the picture for something to escape.
  const prompt = JSON.stringify(transcriptionPrompt(settings, null));
  const message = `{"role":"user","content":${prompt},"images":["`;
  const body = {
    before: `${JSON.stringify(whole).slice(0, -1)},"messages":[${message}`,
    bytes: input.picture.bytes,
    after: '"]}]}',
  };
  return { body, native, warnings };
}

/** The native_settings that a call sends on. */
export function forwardedNative(settings: EngineSettings) {
  const { num_ctx, num_predict } = limitsOf(settings);
  return withinLimits(settings.native, { 'options.num_ctx': num_ctx, 'options.num_predict': num_predict });
}
