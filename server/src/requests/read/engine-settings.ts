import { DEFAULT_DPI } from '../../documents/pdf/pdf-draw.ts';
import { adapterOf } from '../../engines/adapters/registry.ts';
import { mapLanguage } from '../../engines/language/language.ts';
import { countedWarnings, printable } from '../../engines/model/counted-warnings.ts';
import type { Engine, EngineSettings, Forwarded } from '../../engines/model/engine.ts';
import { admitNative } from '../../engines/model/native-rules.ts';
import type { Effective } from '../model/effective.ts';
import { wantsPositions } from '../model/include.ts';
import type { AppliedSettings } from '../model/result-metadata.type.ts';
import type { PageResult } from './page-result.ts';

/**
 * Languages mapped before: callers use few, and mapping one reads tables and locales. A key has some kilobytes at most,
 * by the bounds of every request.
 */
const mappings = new Map<string, ReturnType<typeof mapLanguage>>();
const MAX_MAPPINGS = 1000;

function mappedLanguage(effective: Effective, engine: Engine): ReturnType<typeof mapLanguage> {
  const { languageFamily } = adapterOf(engine);
  const { language, languageHints } = effective;
  const key = `${languageFamily} ${language} ${languageHints?.join(' ')}`;
  const known = mappings.get(key);
  if (known) return known;
  const mapped = mapLanguage(languageFamily, language ?? undefined, languageHints ?? undefined);
  if (mappings.size >= MAX_MAPPINGS) mappings.clear();
  mappings.set(key, mapped);
  return mapped;
}

/** The caller's settings in the words of one engine, and a warning for an unknown language. */
export function engineSettings(effective: Effective, engine: Engine): { settings: EngineSettings; warnings: string[] } {
  const mapped = mappedLanguage(effective, engine);
  const tables = effective.include?.includes('tables') ?? false;
  const { native, ignored } = admitNative(adapterOf(engine).native, engine.nativeAllow, effective.native);
  return {
    settings: {
      language: mapped.language,
      languageNative: mapped.native,
      dpi: effective.dpi,
      detectTables: effective.detectTables || tables,
      ...(engine.pageOutputTokens != null && { pageOutputTokens: engine.pageOutputTokens }),
      ...(tables && { tables }),
      ...(wantsPositions(effective.include) && { positions: true }),
      native,
      ...(effective.preprocess === 'off' && { preprocess: false }),
    },
    warnings: [...(mapped.warning ? [mapped.warning] : []), ...ignoredWarnings(ignored, engine)],
  };
}

function ignoredWarnings(names: readonly string[], engine: Engine): string[] {
  return countedWarnings(
    names.map((name) => `native_settings.${printable(name)} was ignored: ${engine.id} does not take it from callers.`),
    (more) => `${more} more fields of native_settings were ignored.`,
  );
}

interface Applied {
  readonly engine: Engine;
  readonly settings: EngineSettings;
  readonly results: readonly PageResult[];
  /** How many pages a call is for. */
  readonly pagesPerCall: number;
  readonly billedPages: number;
  readonly rendered: boolean;
}

/** `applied_settings` of the result. */
export function appliedSettings(effective: Effective, applied: Applied): AppliedSettings {
  const { settings, billedPages, rendered } = applied;
  const { language, languageNative, findsTables, native } = forwardedBy(applied);
  return {
    language,
    languageNative,
    dpi: rendered ? (settings.dpi ?? DEFAULT_DPI) : settings.dpi,
    pageRange: effective.pageRange,
    detectTables: findsTables ?? (effective.detectTables || null),
    pageCount: billedPages,
    outputFormat: effective.outputFormat,
    native: Object.keys(native).length > 0 ? native : null,
  };
}

/** The settings that the engine was given: as its adapter forwards them, overridden by what the latest call reports. */
function forwardedBy({ engine, settings, results, pagesPerCall }: Applied): Forwarded {
  const before = adapterOf(engine).forwards?.(settings, pagesPerCall) ?? settings;
  const last = results.findLast(({ reading }) => reading.forwarded);
  return { ...before, ...last?.reading.forwarded };
}
