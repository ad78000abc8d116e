import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { askedPages, bytesOf } from '../http/input.ts';
import { isObject, withNative } from '../http/native-fields.ts';
import { mostCredible, outputCap, withinLimits } from '../llm/output-cap.ts';
import { transcriptionPrompt } from '../llm/prompt.ts';

/** What a model was found to accept. */
export interface Dialect {
  /** The newest models refuse a temperature. */
  readonly temperature: boolean;
  /** Tokens that the model allows in one answer; absent until it has refused more. */
  readonly allowed?: number;
  /** Whether it thinks unasked. */
  readonly reasons?: boolean;
}

interface Question {
  readonly input: EngineInput;
  readonly settings: EngineSettings;
  readonly dialect: Dialect;
}

/** The JSON body of a message; the native_settings that pass win over our fields, the token limit only when lower. */
export function messagesRequest(model: string, { input, settings, dialect }: Question) {
  const pages = askedPages(input).length;
  const { native, warnings } = forwardedNative(settings, pages, dialect);
  // Thinking wants its own temperature.
  const temperature = dialect.temperature && !('thinking' in native);
  const max_tokens = ownCap(pages, settings, dialect);
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
  const credible = isOwn ? native['max_tokens'] : mostCredible(max_tokens, ownCap(pages, { native }, dialect));
  return { body, outputCap: credible, native, warnings };
}

type Known = Partial<Pick<Dialect, 'allowed' | 'reasons'>>;
type Asked = Pick<EngineSettings, 'native' | 'pageOutputTokens'>;

/** Tokens that our own limit leaves a call: by what is asked for, and by the model. */
export function ownCap(pages: number, { native, pageOutputTokens }: Asked, { allowed, reasons }: Known): number {
  return outputCap(pages, { allowed, pageTokens: pageOutputTokens, reasons: setsThinking(native) ?? reasons });
}

/** Whether the caller has it think; undefined where that is left to the model. */
function setsThinking({ thinking }: EngineSettings['native']): boolean | undefined {
  return thinking === undefined ? undefined : !(isObject(thinking) && thinking['type'] === 'disabled');
}

/** The native_settings that a call for so many pages sends on. */
export function forwardedNative(settings: EngineSettings, pages: number, known: Known = {}) {
  return withinLimits(settings.native, { max_tokens: ownCap(pages, settings, known) });
}
