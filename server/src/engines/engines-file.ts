import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { FORMATS } from '../documents/formats/document.ts';
import { SettingError } from '../platform/settings/setting-error.ts';

const usd = z.number().min(0).max(1_000_000);

const benchmark = z.object({
  hard_score: z.number().min(0).max(100),
  easy_score: z.number().min(0).max(100),
  // Low and high, or the distance to both sides of the hard score.
  ci: z.union([z.tuple([z.number(), z.number()]), z.number().min(0)]).nullish(),
  measured_at: z.string(),
});

const entry = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\w./:-]+$/, 'letters, digits and _ . / : - only'),
  name: z.string().min(1),
  provider: z.string().min(1),
  adapter: z.string().min(1),
  base_url: z.url().nullish(),
  api_key: z.string().nullish(),
  api_key_env: z.string().nullish(),
  model: z.string().nullish(),
  region: z.string().nullish(),
  price_per_page_usd: usd,
  token_prices: z
    .strictObject({ input_per_million_usd: usd, output_per_million_usd: usd, fee_per_call_usd: usd.optional() })
    .nullish(),
  provider_cost_per_page_usd: usd.nullish(),
  max_input_tokens_per_page: z.number().int().min(1).max(10_000_000).nullish(),
  max_output_tokens_per_page: z.number().int().min(1).max(10_000_000).nullish(),
  max_pages_per_request: z.number().int().min(1).max(100_000).optional(),
  native_pdf: z.boolean().optional(),
  page_range: z.boolean().optional(),
  accepts: z.array(z.enum(['url', 'base64', ...FORMATS])).optional(),
  strengths: z.array(z.string()).optional(),
  benchmark: benchmark.nullish(),
  recommended: z.boolean().optional(),
  native_allow: z.array(z.string().min(1).max(200)).max(200).optional(),
  enabled: z.boolean().optional(),
  concurrency: z.number().int().min(1).max(1000).optional(),
  timeout_ms: z.number().int().min(1).optional(),
  health_url: z.url().nullish(),
  probe: z.boolean().optional(),
});

/** One engine as `ENGINES_FILE` spells it. */
export type EngineEntry = z.infer<typeof entry>;

/** Its fields: docs/engines.md has a row for each. */
export const ENTRY_FIELDS: readonly string[] = Object.keys(entry.shape);

/** An entry from elsewhere than the file; null for what is none. */
export function readEntry(given: unknown): EngineEntry | null {
  return entry.safeParse(given).data ?? null;
}

const loose = z.object({ engines: z.array(z.looseObject({ id: z.string() })) });

/**
 * Merges the file's entries over the built-in ones: a known id field by field, a new id as a whole engine.
 * Throws one error that lists every mistake.
 */
export function mergeEntries(builtIn: readonly EngineEntry[], file: unknown): EngineEntry[] {
  const parsed = loose.safeParse(file);
  if (!parsed.success)
    throw new SettingError(`ENGINES_FILE must hold {"engines": [{"id": …}]}: ${parsed.error.message}`);
  const merged = new Map<string, Record<string, unknown>>(builtIn.map((known) => [known.id, known]));
  for (const given of parsed.data.engines) merged.set(given.id, { ...merged.get(given.id), ...given });
  const mistakes: string[] = [];
  const entries = [...merged.values()].flatMap((candidate) => {
    const result = entry.safeParse(candidate);
    if (result.success) return [result.data];
    for (const issue of result.error.issues)
      mistakes.push(`  ${candidate['id']}.${issue.path.join('.')}: ${issue.message}`);
    return [];
  });
  if (mistakes.length > 0) throw new SettingError(`ENGINES_FILE is not usable:\n${mistakes.join('\n')}`);
  return entries;
}

export function readEnginesFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SettingError(`ENGINES_FILE ${path} cannot be read as JSON: ${(error as Error).message}`);
  }
}
