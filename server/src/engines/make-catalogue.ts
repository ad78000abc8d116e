import { FORMATS } from '../documents/formats/document.ts';
import { fromUsd } from '../platform/money.ts';
import { secretOf } from '../platform/settings/secret-files.ts';
import { PAGE_TOKENS } from './adapters/llm/output-cap.ts';
import { adapterOf } from './adapters/registry.ts';
import { Catalogue } from './catalogue.ts';
import type { EngineEntry } from './engines-file.ts';
import type { AdapterType, Connection } from './model/adapter-type.ts';
import type { Benchmark, Engine } from './model/engine.ts';
import { missingSetting } from './model/missing-setting.ts';
import { reservedAmong } from './model/native-rules.ts';

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_MAX_PAGES = 20;

interface CatalogueOptions {
  readonly secrets: Readonly<Record<string, string | undefined>>;
  readonly cores: number;
  readonly engineLimitMs: number;
}

/** Builds the catalogue from its entries; `secrets` is where `api_key_env` looks, for a file that holds the key, too. */
export function makeCatalogue(entries: readonly EngineEntry[], options: CatalogueOptions): Catalogue {
  return new Catalogue(
    entries.map((entry) => toEngine(entry, options)),
    // Without secrets, and coming soon whatever its adapter could do without.
    (entry) => ({
      ...toEngine(entry, { ...options, secrets: {} }),
      status: 'coming_soon',
      probe: false,
    }),
  );
}

function toEngine(entry: EngineEntry, options: CatalogueOptions): Engine {
  const adapter = adapterOf(entry);
  const apiKey = entry.api_key ?? (entry.api_key_env ? keyNamed(entry.api_key_env, options.secrets) : null);
  // A variable named for the key means that there is to be one, also where the adapter could do without.
  const lacksNamedKey = entry.api_key_env != null && apiKey === null;
  const connection: Connection = {
    // Without its slashes at the end: adapters put their paths behind it.
    baseUrl: entry.base_url?.replace(/\/+$/, '') ?? null,
    apiKey,
    model: entry.model ?? null,
    region: entry.region ?? null,
  };
  const nativePdf = entry.native_pdf ?? false;
  const accepts = entry.accepts ?? ['url', 'base64', ...FORMATS];
  return {
    ...connection,
    id: entry.id,
    name: entry.name,
    provider: entry.provider,
    adapter: entry.adapter,
    pricePerPage: fromUsd(entry.price_per_page_usd),
    tokenPrices: entry.token_prices
      ? {
          inputPerMillion: fromUsd(entry.token_prices.input_per_million_usd),
          outputPerMillion: fromUsd(entry.token_prices.output_per_million_usd),
          feePerCall: fromUsd(entry.token_prices.fee_per_call_usd ?? 0),
        }
      : null,
    providerCostPerPage: entry.provider_cost_per_page_usd == null ? null : fromUsd(entry.provider_cost_per_page_usd),
    ...pageTokens(entry, adapter.mostPageTokens),
    maxPagesPerRequest: entry.max_pages_per_request ?? DEFAULT_MAX_PAGES,
    nativePdf,
    pageRange: entry.page_range ?? !nativePdf,
    accepts,
    supports: [
      ...(accepts.includes('url') ? (['image_url'] as const) : []),
      ...(accepts.includes('base64') ? (['image_base64'] as const) : []),
    ],
    strengths: entry.strengths ?? [],
    benchmark: entry.benchmark ? toBenchmark(entry.benchmark) : null,
    recommended: entry.recommended ?? false,
    nativeAllow: nativeAllowOf(entry, adapter),
    enabled: entry.enabled ?? true,
    concurrency: entry.concurrency ?? (adapter.local ? options.cores : DEFAULT_CONCURRENCY),
    timeoutMs: Math.min(entry.timeout_ms ?? options.engineLimitMs, options.engineLimitMs),
    healthUrl: entry.health_url ?? null,
    probe: entry.probe ?? (adapter.local || entry.health_url != null),
    status:
      missingSetting(adapter, connection) === null && !lacksNamedKey
        ? ('available' as const)
        : ('coming_soon' as const),
  };
}

/** The variable, or the file that the same with `_FILE` names: what starts containers may set both. */
function keyNamed(name: string, secrets: CatalogueOptions['secrets']): string | null {
  return secrets[name] || secretOf(secrets, name) || null;
}

/** Once an operator has bounded the input of a page, its output is bounded, too: what a page costs at worst is known then. */
function pageTokens(entry: EngineEntry, own?: number): Pick<Engine, 'mostPageTokens' | 'pageOutputTokens'> {
  const { max_input_tokens_per_page: input, max_output_tokens_per_page: output } = entry;
  if (input == null) return { mostPageTokens: null, pageOutputTokens: output ?? null };
  const least = own === undefined ? PAGE_TOKENS : null; // an adapter that has its own bound keeps to it by itself
  return { mostPageTokens: { input, output: output ?? own ?? PAGE_TOKENS }, pageOutputTokens: output ?? least };
}

/** Throws for a name that would put another document, model, bill or address in place of the service's own. */
function nativeAllowOf({ id, native_allow = [] }: EngineEntry, adapter: AdapterType): readonly string[] {
  const reserved = reservedAmong(adapter.native, native_allow);
  if (reserved.length === 0) return native_allow;
  const names = reserved.join(', ');
  throw new Error(`ENGINES_FILE: ${id}.native_allow: the adapter ${adapter.name} never takes ${names} from a caller.`);
}

function toBenchmark({ hard_score, easy_score, ci, measured_at }: NonNullable<EngineEntry['benchmark']>): Benchmark {
  const interval = typeof ci === 'number' ? within(hard_score, ci) : (ci ?? null);
  return { hardScore: hard_score, easyScore: easy_score, ci: interval, measuredAt: measured_at };
}

function within(score: number, distance: number): [number, number] {
  return [Math.max(0, score - distance), Math.min(100, score + distance)];
}
