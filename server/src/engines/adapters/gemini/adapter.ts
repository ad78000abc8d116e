import type { AdapterType } from '../../model/adapter-type.ts';
import type { Engine } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import type { Fault } from '../http/failure.ts';
import { HttpAdapter, type Protocol } from '../http/http-adapter.ts';
import { PAGE_TOKENS, REASONING_TOKENS } from '../llm/output-cap.ts';
import { hasThought, readContent } from './answer.ts';
import { contentRequest, type Dialect, forwardedNative, setsThinking } from './body.ts';

const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com';
/** Limits of a picture: a request has 20 MB in all, with base64 and prompt. */
const LIMITS = { maxBytes: 14 * 1024 * 1024, maxSide: Number.POSITIVE_INFINITY };

const UNNAMED_ARGUMENT = /^Request contains an invalid argument\.?$/i;

const FIRST_DIALECT: Dialect = { thinkingOff: true };

const NATIVE: NativeRules = {
  passes: [
    ...['temperature', 'topP', 'topK', 'seed', 'stopSequences', 'presencePenalty', 'frequencyPenalty'],
    ...['maxOutputTokens', 'thinkingConfig'],
  ].map((name) => `generationConfig.${name}`),
  reserved: [
    ...['model', 'contents', 'tools', 'toolConfig', 'cachedContent', 'serviceTier', 'store'],
    ...['candidateCount', 'responseModalities', 'speechConfig', 'imageConfig'].map(
      (name) => `generationConfig.${name}`,
    ),
  ],
};

/** Gemini models by Google's generateContent. */
export const gemini: AdapterType = {
  name: 'gemini',
  local: false,
  readsAllPages: true,
  writesText: true,
  mostPageTokens: PAGE_TOKENS + REASONING_TOKENS,
  languageFamily: 'prompt',
  native: NATIVE,
  forwards: (settings, pages) => ({ ...settings, native: forwardedNative(settings, pages, FIRST_DIALECT).native }),
  needs: ['model', 'apiKey'],
  open: (engine, { http }) => new HttpAdapter(http, generateContent(engine)),
};

function generateContent(engine: Engine): Protocol<Dialect> {
  const base = engine.baseUrl ?? DEFAULT_BASE_URL;
  return {
    url: `${base}/v1beta/${resourceOf(engine.model ?? '')}:generateContent`,
    headers: { 'x-goog-api-key': engine.apiKey ?? '' },
    secret: engine.apiKey,
    takesDocuments: true,
    limits: LIMITS,
    firstDialect: FIRST_DIALECT,
    request: (input, settings, dialect) => contentRequest({ input, settings, dialect }),
    read: (answer, input) => readContent(answer, input, engine.apiKey),
    adapt({ thinkingOff }, fault, _input, native) {
      return thinkingOff && rejectsSwitch(fault) && !setsThinking(native) ? { thinkingOff: false } : null;
    },
    learn({ thinkingOff, thinksAnyway }, { usage }) {
      return thinkingOff && !thinksAnyway && hasThought(usage?.raw) ? { thinkingOff, thinksAnyway: true } : null;
    },
  };
}

/**
 * Whether the model rejects the switch for thinking. Newer models do not say which argument they mean: it is taken for the one
 * that not every model accepts.
 */
function rejectsSwitch({ status, message }: Fault): boolean {
  return status === 400 && (/thinking|\bbudget\b/i.test(message) || UNNAMED_ARGUMENT.test(message));
}

/** `gemini-x` is `models/gemini-x`; `models/…` and `tunedModels/…` are complete. */
function resourceOf(model: string): string {
  const path = model.includes('/') ? model : `models/${model}`;
  return path.split('/').map(encodeURIComponent).join('/');
}
