import { isObject } from '../../../platform/is-object.ts';
import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { askedPages, bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { mostCredible, outputCap, withinLimits } from '../llm/output-cap.ts';
import { transcriptionPrompt } from '../llm/prompt.ts';

/** The properties that a model was found to have. */
export interface Dialect {
  /** Whether a temperature is sent: the newest models refuse one. */
  readonly temperature: boolean;
  /** Tokens that the model allows in one answer; absent until it has refused more. */
  readonly allowed?: number;
  /** Whether the model thinks unasked. */
  readonly reasons?: boolean;
}

interface Question {
  readonly input: EngineInput;
  readonly settings: EngineSettings;
  readonly dialect: Dialect;
}

/**
 * The JSON body of a message. The native_settings that pass win over the gateway's fields, the token limit only where it is
 * lower.
 */
export function messagesRequest(model: string, { input, settings, dialect }: Question) {
  const pages = askedPages(input).length;
  const { native, warnings } = forwardedNative(settings, pages, dialect);
  // Thinking wants its own temperature.
  const temperature = dialect.temperature && !('thinking' in native);
  const max_tokens = ownCap(pages, settings, dialect);
  const fields = withNative({ model, ...(temperature && { temperature: 0 }), max_tokens }, native);
  // Joined by hand: JSON.stringify would look at every character of the picture for something to escape.
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

/** Tokens that the gateway's own limit leaves a call: by what is asked for, and by what the model allows. */
export function ownCap(pages: number, { native, pageOutputTokens }: Asked, { allowed, reasons }: Known): number {
  return outputCap(pages, { allowed, pageTokens: pageOutputTokens, reasons: setsThinking(native) ?? reasons });
}

/** Whether the caller has the model think; undefined where the caller leaves that to the model. */
function setsThinking({ thinking }: EngineSettings['native']): boolean | undefined {
  return thinking === undefined ? undefined : !(isObject(thinking) && thinking['type'] === 'disabled');
}

/** The native_settings that a call for so many pages sends on. */
export function forwardedNative(settings: EngineSettings, pages: number, known: Known = {}) {
  return withinLimits(settings.native, { max_tokens: ownCap(pages, settings, known) });
}
