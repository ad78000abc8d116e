import { languageOf } from '../language/language.ts';
import type { EngineSettings, Forwarded } from './engine.ts';

/** The settings with the language that one of the engine's own parameters names in its place, where there is one. */
export function withOwnLanguage(settings: EngineSettings, own: unknown): Forwarded {
  const { language, languageNative, native } = settings;
  if (own === undefined) return { language, languageNative, native };
  const codes: unknown[] = typeof own === 'string' ? own.split('+') : Array.isArray(own) ? own : [];
  if (codes.length === 0 || !codes.every((code) => typeof code === 'string')) {
    return { language: null, languageNative: null, native };
  }
  return { language: languageOf(codes), languageNative: typeof own === 'string' ? own : codes, native };
}
