import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { isObject, withNative } from '../http/native-fields.ts';
import { PAGE_TOKENS, tokenLimit } from '../llm/output-cap.ts';
import { transcriptionPrompt } from '../llm/prompt.ts';

/** The picture, the prompt and a page of text: Ollama cuts off what goes beyond its much smaller default, unasked. */
const CONTEXT_TOKENS = 2 * PAGE_TOKENS;

/** The JSON body of a chat; the native_settings that pass win over our fields, token limits only when lower. */
export function chatRequest(model: string, input: EngineInput, settings: EngineSettings) {
  const { native } = settings;
  const asked = isObject(native['options']) ? native['options'] : {};
  const context = tokenLimit('options.num_ctx', asked['num_ctx'], CONTEXT_TOKENS);
  const answer = tokenLimit('options.num_predict', asked['num_predict'], PAGE_TOKENS);
  const limits = { num_ctx: context.tokens, num_predict: answer.tokens };
  const fields = withNative(withNative({ model, options: { temperature: 0 } }, native), { options: limits });
  const whole = { ...fields, stream: false };
  const warnings = [...context.warnings, ...answer.warnings];
  if (input.kind === 'document') throw new Error('a chat takes pictures only');
  // Put together by hand: JSON.stringify would look at every character of the picture for something to escape.
  const prompt = JSON.stringify(transcriptionPrompt(settings, null));
  const message = `{"role":"user","content":${prompt},"images":["`;
  const body = {
    before: `${JSON.stringify(whole).slice(0, -1)},"messages":[${message}`,
    bytes: input.picture.bytes,
    after: '"]}]}',
  };
  return { body, warnings };
}
