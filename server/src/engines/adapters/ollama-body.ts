import type { EngineInput, EngineSettings } from '../engine.ts';
import { withNative } from './llm/native-fields.ts';
import { PAGE_TOKENS } from './llm/output-cap.ts';
import { transcriptionPrompt } from './llm/prompt.ts';

/** The picture, the prompt and a page of text: Ollama cuts off what goes beyond its much smaller default, unasked. */
const CONTEXT_TOKENS = 2 * PAGE_TOKENS;

/** The JSON body of a chat; the caller's native_settings win over every field of ours. */
export function chatRequest(model: string, input: EngineInput, settings: EngineSettings) {
  const options = { temperature: 0, num_ctx: CONTEXT_TOKENS, num_predict: PAGE_TOKENS };
  const { fields, warnings } = withNative({ model, options }, settings.native);
  const whole = { ...fields, stream: false };
  if ('messages' in fields) return { body: JSON.stringify(whole), warnings };
  if (input.kind === 'document') throw new Error('a chat takes pictures only');
  // Put together as text: JSON.stringify would look at every character of the picture for something to escape.
  const prompt = JSON.stringify(transcriptionPrompt(settings, null));
  const message = `{"role":"user","content":${prompt},"images":["${input.picture.bytes.toString('base64')}"]}`;
  return { body: `${JSON.stringify(whole).slice(0, -1)},"messages":[${message}]}`, warnings };
}
