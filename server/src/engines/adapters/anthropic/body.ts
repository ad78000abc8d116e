import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { askedPages, bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { CALL_TOKENS, mostCredible, outputCap, withinLimits } from '../llm/output-cap.ts';
import { transcriptionPrompt } from '../llm/prompt.ts';

/** What a model was found to accept. */
export interface Dialect {
  /** The newest models refuse a temperature. */
  readonly temperature: boolean;
  /** Tokens that the model allows in one answer. */
  readonly allowed: number;
}

interface Question {
  readonly input: EngineInput;
  readonly settings: EngineSettings;
  readonly dialect: Dialect;
}

/** The JSON body of a message; the native_settings that pass win over our fields, the token limit only when lower. */
export function messagesRequest(model: string, { input, settings, dialect }: Question) {
  const pages = askedPages(input).length;
  const { native, warnings } = forwardedNative(settings, pages, dialect.allowed);
  // Thinking wants its own temperature.
  const temperature = dialect.temperature && !('thinking' in native);
  const max_tokens = outputCap(pages, dialect.allowed, settings.pageOutputTokens);
  const fields = withNative({ model, ...(temperature && { temperature: 0 }), max_tokens }, native);
  // Put together by hand: JSON.stringify would look at every character of the picture for something to escape.
  const prompt = JSON.stringify(transcriptionPrompt(settings, input.kind === 'document' ? input : null));
  const [type, mimeType] =
    input.kind === 'document' ? ['document', 'application/pdf'] : ['image', input.picture.mimeType];
  const source = `{"type":"${type}","source":{"type":"base64","media_type":"${mimeType}","data":"`;
  const body = {
    before: `${JSON.stringify(fields).slice(0, -1)},"messages":[{"role":"user","content":[${source}`,
    bytes: bytesOf(input),
    after: `"}},{"type":"text","text":${prompt}}]}]}`,
  };
  const isOwn = 'max_tokens' in native;
  const credible = isOwn ? native['max_tokens'] : mostCredible(max_tokens, outputCap(pages, dialect.allowed));
  return { body, outputCap: credible, native, warnings };
}

/** The native_settings that a call for so many pages sends on, where a model allows so many tokens in one answer. */
export function forwardedNative({ native, pageOutputTokens }: EngineSettings, pages: number, allowed = CALL_TOKENS) {
  return withinLimits(native, { max_tokens: outputCap(pages, allowed, pageOutputTokens) });
}
