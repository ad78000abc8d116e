import type { EngineInput, EngineSettings } from '../../model/engine.ts';
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
  // Put together as text: JSON.stringify would look at every character of the picture for something to escape.
  const prompt = JSON.stringify(transcriptionPrompt(settings, input.kind === 'document' ? input.pages : null));
  const content = `[${documentPart(input)},{"type":"text","text":${prompt}}]`;
  return {
    body: `${JSON.stringify(fields).slice(0, -1)},"messages":[{"role":"user","content":${content}}]}`,
    outputCap: tokens,
    warnings,
  };
}

function documentPart(input: EngineInput): string {
  if (input.kind === 'document') return source('document', 'application/pdf', input.bytes);
  return source('image', input.picture.mimeType, input.picture.bytes);
}

function source(type: 'image' | 'document', mimeType: string, bytes: Buffer): string {
  const data = bytes.toString('base64');
  return `{"type":"${type}","source":{"type":"base64","media_type":"${mimeType}","data":"${data}"}}`;
}
