import { isObject } from '../../../platform/is-object.ts';
import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import type { DocumentBody } from '../http/document-body.ts';
import { askedPages, bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { mostCredible, outputCap, withinLimits } from '../llm/output-cap.ts';
import { transcriptionPrompt } from '../llm/prompt.ts';

/** The properties that a server was found to have. */
export interface Dialect {
  /** Name of the output cap: every compatible server knows `max_tokens`; OpenAI's own newer models insist on the other. */
  readonly outputCap: 'max_tokens' | 'max_completion_tokens';
  /** Tokens that the model allows in one answer; absent until it has refused more. */
  readonly allowed?: number;
  /** Whether a temperature is sent: reasoning models refuse one. */
  readonly temperature: boolean;
  /** Whether the model was seen to reason. */
  readonly reasons?: boolean;
  /** Tokens that the context leaves beside this page, by the server's refusal; it tells nothing of other pages. */
  readonly room?: number;
}

const CAPS = ['max_tokens', 'max_completion_tokens'] as const;

export interface ChatRequest {
  readonly body: DocumentBody;
  /** The most tokens that the answer can credibly have. */
  readonly outputCap: number;
  readonly native: EngineSettings['native'];
  readonly warnings: readonly string[];
}

/**
 * The JSON body of a chat completion. The native_settings that pass win over the gateway's fields, token limits only where they
 * are lower.
 */
export function chatRequest(
  model: string,
  input: EngineInput,
  settings: EngineSettings,
  dialect: Dialect,
): ChatRequest {
  const pages = askedPages(input).length;
  const { native, warnings } = forwardedNative(settings, pages, dialect);
  const ours = ownCap(pages, settings, dialect);
  const caps = isCapped(native) ? {} : { [dialect.outputCap]: ours };
  const fields = withNative({ model, ...(dialect.temperature && { temperature: 0 }), ...caps }, native);
  const prompt = JSON.stringify(transcriptionPrompt(settings, input.kind === 'document' ? input : null));
  const [before, after] = around(input);
  // Joined by hand: JSON.stringify would look at every character of the picture for something to escape.
  const messages = `"messages":[{"role":"user","content":[{"type":"text","text":${prompt}},${before}`;
  const body = {
    before: `${JSON.stringify(fields).slice(0, -1)},${messages}`,
    bytes: bytesOf(input),
    after: `${after}]}]}`,
  };
  return { body, outputCap: mostOutput(input, settings, dialect), native, warnings };
}

/** The most tokens that an answer can credibly have. */
export function mostOutput(input: EngineInput, settings: EngineSettings, known: Known): number {
  const pages = askedPages(input).length;
  const { native } = forwardedNative(settings, pages, known);
  const limits = CAPS.map((name) => native[name]).filter((tokens) => typeof tokens === 'number');
  if (limits.length > 0) return Math.max(...limits);
  return mostCredible(ownCap(pages, settings, known), ownCap(pages, { native }, known));
}

/** Known bounds of an answer. */
type Known = Partial<Pick<Dialect, 'allowed' | 'room' | 'reasons'>>;
type Asked = Pick<EngineSettings, 'native' | 'pageOutputTokens'>;

/**
 * Tokens that the gateway's own cap leaves a call: by what is asked for, by what the model allows and by what its context leaves.
 */
export function ownCap(pages: number, { native, pageOutputTokens }: Asked, { allowed, room, reasons }: Known): number {
  const asked = {
    allowed,
    pageTokens: pageOutputTokens,
    reasons: reasons !== false && (reasons || wantsReasoning(native)),
  };
  return Math.min(outputCap(pages, asked), room ?? Number.POSITIVE_INFINITY);
}

/** Whether the caller has the model reason. */
function wantsReasoning(native: EngineSettings['native']): boolean {
  const { reasoning_effort: effort, chat_template_kwargs: template } = native;
  return (effort !== undefined && effort !== 'none') || (isObject(template) && template['enable_thinking'] === true);
}

/** The native_settings that a call for so many pages sends on. */
export function forwardedNative(settings: EngineSettings, pages: number, known: Known = {}) {
  const { native } = settings;
  const most = ownCap(pages, settings, known);
  return withinLimits(native, { max_tokens: most, max_completion_tokens: most });
}

/** Whether the caller bounds the output; the two names exclude each other. */
export function isCapped(native: EngineSettings['native']): boolean {
  return CAPS.some((name) => name in native);
}

/** The JSON before and after the document's base64. */
function around(input: EngineInput): [string, string] {
  if (input.kind === 'picture') {
    return [`{"type":"image_url","image_url":{"url":"data:${input.picture.mimeType};base64,`, '","detail":"high"}}'];
  }
  return ['{"type":"file","file":{"filename":"document.pdf","file_data":"data:application/pdf;base64,', '"}}'];
}
