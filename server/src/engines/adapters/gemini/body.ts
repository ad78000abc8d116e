import { isObject } from '../../../platform/is-object.ts';
import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { askedPages, bytesOf } from '../http/input.ts';
import { withNative } from '../http/native-fields.ts';
import { mostCredible, outputCap, withinLimits } from '../llm/output-cap.ts';
import { transcriptionPrompt } from '../llm/prompt.ts';

/** The properties that a model was found to have. */
export interface Dialect {
  /** Whether the model is told not to think: some always think, others do not know that setting. */
  readonly thinkingOff: boolean;
  /** Whether the model thinks although it is told not to. */
  readonly thinksAnyway?: boolean;
}

interface Question {
  readonly input: EngineInput;
  readonly settings: EngineSettings;
  readonly dialect: Dialect;
}

/**
 * The JSON body of generateContent. The native_settings that pass win over the gateway's fields, the token limit only where it is
 * lower.
 */
export function contentRequest({ input, settings, dialect }: Question) {
  const pages = askedPages(input).length;
  const { native, warnings } = forwardedNative(settings, pages, dialect);
  const thinks = isThinking(native, dialect);
  const switchesOff = dialect.thinkingOff && !setsThinking(native);
  const generationConfig = {
    temperature: 0,
    maxOutputTokens: mostTokens(pages, thinks, settings.pageOutputTokens),
    ...(switchesOff && { thinkingConfig: { thinkingBudget: 0 } }),
  };
  const fields = withNative({ generationConfig }, native);
  const config = fields['generationConfig'];
  // Joined by hand: JSON.stringify would look at every character of the picture for something to escape.
  const prompt = JSON.stringify(transcriptionPrompt(settings, input.kind === 'document' ? input : null));
  const mimeType = input.kind === 'document' ? 'application/pdf' : input.picture.mimeType;
  const contents = `[{"role":"user","parts":[{"inline_data":{"mime_type":"${mimeType}","data":"`;
  const body = {
    before: `${JSON.stringify(fields).slice(0, -1)},"contents":${contents}`,
    bytes: bytesOf(input),
    after: `"}},{"text":${prompt}}]}]}`,
  };
  const asked = isObject(config) ? config['maxOutputTokens'] : null;
  const isOurs = typeof asked === 'number' && !setsLimit(native);
  return { body, outputCap: isOurs ? mostCredible(asked, mostTokens(pages, thinks)) : asked, native, warnings };
}

/** The native_settings that a call for so many pages sends on. */
export function forwardedNative({ native, pageOutputTokens }: EngineSettings, pages: number, dialect: Dialect) {
  const most = mostTokens(pages, isThinking(native, dialect), pageOutputTokens);
  return withinLimits(native, { 'generationConfig.maxOutputTokens': most });
}

function mostTokens(pages: number, reasons: boolean, pageTokens?: number): number {
  return outputCap(pages, { pageTokens, reasons });
}

function isThinking(native: EngineSettings['native'], { thinkingOff, thinksAnyway = false }: Dialect): boolean {
  return !thinkingOff || thinksAnyway || setsThinking(native);
}

/** Whether the caller says how much the model is to think. */
export function setsThinking(native: EngineSettings['native']): boolean {
  return configures(native, 'thinkingConfig');
}

function setsLimit(native: EngineSettings['native']): boolean {
  return configures(native, 'maxOutputTokens');
}

function configures({ generationConfig }: EngineSettings['native'], name: string): boolean {
  return isObject(generationConfig) && name in generationConfig;
}
