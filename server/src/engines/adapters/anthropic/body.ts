import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { outputCap, tokenLimit } from '../llm/output-cap.ts';
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
  const { native } = settings;
  // Thinking wants its own temperature.
  const temperature = dialect.temperature && !('thinking' in native);
  const { tokens, warnings } = tokenLimit('max_tokens', native['max_tokens'], outputCap(input, dialect.allowed));
  const fields = { ...withNative({ model, ...(temperature && { temperature: 0 }) }, native), max_tokens: tokens };
  // Put together by hand: JSON.stringify would look at every character of the picture for something to escape.
  const prompt = JSON.stringify(transcriptionPrompt(settings, input.kind === 'document' ? input.pages : null));
  const [type, mimeType] =
    input.kind === 'document' ? ['document', 'application/pdf'] : ['image', input.picture.mimeType];
  const source = `{"type":"${type}","source":{"type":"base64","media_type":"${mimeType}","data":"`;
  const body = {
    before: `${JSON.stringify(fields).slice(0, -1)},"messages":[{"role":"user","content":[${source}`,
    bytes: bytesOf(input),
    after: `"}},{"type":"text","text":${prompt}}]}]}`,
  };
  return { body, outputCap: tokens, warnings };
}
