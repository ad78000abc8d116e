import type { EngineInput, EngineSettings } from '../../model/engine.ts';
import { pageRanges } from '../../model/page-ranges.ts';

const API_VERSION = '2024-11-30';
/** The unit of offsets, as JavaScript counts: the pages are cut out of the whole text by them. */
const INDEX_TYPE = 'utf16CodeUnit';
/** Azure's codes where they differ: it wants the script of Chinese. */
const LOCALES: Readonly<Record<string, string>> = { zh: 'zh-Hans' };

/** The query of an analysis, which has all settings. The native_settings that pass are parameters, and win. */
export function analyzeQuery(input: EngineInput, settings: EngineSettings): string {
  const languages = [settings.languageNative].flat();
  const [locale] = languages;
  const query = new URLSearchParams({ 'api-version': API_VERSION });
  // A hint has Azure read with the model of that language alone. English is also the default where nobody named a language: then,
  // and for several languages, Azure finds out by itself.
  if (languages.length === 1 && locale && locale !== 'en') query.set('locale', LOCALES[locale] ?? locale);
  if (input.kind === 'document') query.set('pages', pageRanges(input.pages));
  for (const [name, value] of Object.entries(settings.native)) query.set(name, parameter(value));
  query.set('stringIndexType', INDEX_TYPE);
  return query.toString();
}

function parameter(value: unknown): string {
  if (Array.isArray(value)) return value.map(parameter).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
