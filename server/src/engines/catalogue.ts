import { fromUsd } from '../database/money.ts';
import { FORMATS } from '../documents/document.ts';
import { AppError } from '../errors.ts';
import type { AdapterType } from './adapters/adapter-type.ts';
import { reservedAmong } from './adapters/native-rules.ts';
import { adapterOf } from './adapters/registry.ts';
import type { Benchmark, Engine } from './engine.ts';
import type { EngineEntry } from './engines-file.ts';
import { suggest } from './suggest.ts';

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_MAX_PAGES = 20;
const COMPARABLE_POINTS = 5;

/** Every engine of this installation, in the order of the configuration. */
export class Catalogue {
  readonly #configured: readonly Engine[];
  readonly #toDemo: (entry: EngineEntry) => Engine;
  #demoIds = '';
  #all: readonly Engine[];
  #byId: ReadonlyMap<string, Engine>;

  /** `toDemo` makes what is shown of an engine that nobody can use. */
  constructor(configured: readonly Engine[], toDemo: (entry: EngineEntry) => Engine) {
    this.#configured = configured;
    this.#toDemo = toDemo;
    this.#all = configured;
    this.#byId = byId(configured);
  }

  get engines(): readonly Engine[] {
    return this.#all;
  }

  /** Shows these beside the configured engines, whose ids go first. */
  showDemo(entries: readonly EngineEntry[]): void {
    const ids = entries.map(({ id }) => id).join(' ');
    if (ids === this.#demoIds) return;
    const taken = new Set(this.#configured.map(({ id }) => id));
    this.#demoIds = ids;
    this.#all = [...this.#configured, ...entries.filter(({ id }) => !taken.has(id)).map(this.#toDemo)];
    this.#byId = byId(this.#all);
  }

  find(id: string): Engine | undefined {
    return this.#byId.get(id);
  }

  /** The engine that a field of a request names; throws `unknown_engine` with close matches. */
  require(id: string, field = 'engine'): Engine {
    const engine = this.#byId.get(id);
    if (engine) return engine;
    const suggestions = suggest(id, [...this.#byId.keys()]);
    const hint =
      suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : ' GET /v1/engines lists them all.';
    throw new AppError('unknown_engine', `${field}: there is no engine "${id.slice(0, 200)}".${hint}`, { suggestions });
  }

  /** The engines by hard-corpus score, best first, unmeasured ones last. */
  byAccuracy(): Engine[] {
    const score = (engine: Engine) => engine.benchmark?.hardScore ?? Number.NEGATIVE_INFINITY;
    return [...this.engines].sort((a, b) => (score(b) === score(a) ? 0 : score(b) - score(a)));
  }

  /**
   * The engine that automatic retry would use: another provider, a hard score within 5 points, the same price or less,
   * able to take the same input. The best score wins, then the lower price.
   */
  comparable(
    engine: Engine,
    needs: {
      format: string;
      pages: number;
      usable(candidate: Engine): boolean;
      /** Gives an engine the prices that count; those of the configuration when absent. */
      priced?(candidate: Engine): Engine;
    },
  ): Engine | null {
    const candidates = this.alikes(engine, needs.priced).filter(
      (other) => other.maxPagesPerRequest >= needs.pages && other.accepts.includes(needs.format) && needs.usable(other),
    );
    candidates.sort((a, b) => scoreOf(b) - scoreOf(a) || Number(a.pricePerPage - b.pricePerPage));
    return candidates[0] ?? null;
  }

  /** The engines that automatic retry may use instead of this one, as far as that is known without the document. */
  alikes(engine: Engine, priced: (candidate: Engine) => Engine = (candidate) => candidate): Engine[] {
    const measured = engine.benchmark;
    if (!measured) return [];
    return this.engines
      .filter(
        (other) =>
          other.status === 'available' &&
          other.provider !== engine.provider &&
          other.benchmark !== null &&
          Math.abs(other.benchmark.hardScore - measured.hardScore) <= COMPARABLE_POINTS,
      )
      .map(priced)
      .filter((other) => other.pricePerPage <= engine.pricePerPage);
  }
}

function byId(engines: readonly Engine[]): ReadonlyMap<string, Engine> {
  return new Map(engines.map((engine) => [engine.id, engine]));
}

function scoreOf(engine: Engine): number {
  return engine.benchmark?.hardScore ?? 0;
}

function toBenchmark({ hard_score, easy_score, ci, measured_at }: NonNullable<EngineEntry['benchmark']>): Benchmark {
  const interval = typeof ci === 'number' ? within(hard_score, ci) : (ci ?? null);
  return { hardScore: hard_score, easyScore: easy_score, ci: interval, measuredAt: measured_at };
}

function within(score: number, distance: number): [number, number] {
  return [Math.max(0, score - distance), Math.min(100, score + distance)];
}

interface CatalogueOptions {
  readonly secrets: Readonly<Record<string, string | undefined>>;
  readonly cores: number;
  readonly engineLimitMs: number;
}

/** Builds the catalogue from its entries; `secrets` is where `api_key_env` looks. */
export function makeCatalogue(entries: readonly EngineEntry[], options: CatalogueOptions): Catalogue {
  return new Catalogue(
    entries.map((entry) => toEngine(entry, options)),
    // Without secrets, and coming soon whatever its adapter could do without.
    (entry) => ({
      ...toEngine(entry, { ...options, secrets: {} }),
      status: 'coming_soon',
      demo: true,
      probe: false,
    }),
  );
}

/** Throws for a name that would put another document, model, bill or address in place of the service's own. */
function nativeAllowOf({ id, native_allow = [] }: EngineEntry, adapter: AdapterType): readonly string[] {
  const reserved = reservedAmong(adapter.native, native_allow);
  if (reserved.length === 0) return native_allow;
  const names = reserved.join(', ');
  throw new Error(`ENGINES_FILE: ${id}.native_allow: the adapter ${adapter.name} never takes ${names} from a caller.`);
}

function toEngine(entry: EngineEntry, options: CatalogueOptions): Engine {
  const adapter = adapterOf(entry);
  const apiKey = entry.api_key ?? (entry.api_key_env ? options.secrets[entry.api_key_env] || null : null);
  // Who names a variable for the key means a key, also where the adapter could do without one.
  const lacksNamedKey = entry.api_key_env != null && apiKey === null;
  const needs = {
    baseUrl: entry.base_url?.replace(/\/+$/, '') ?? null,
    apiKey,
    model: entry.model ?? null,
    region: entry.region ?? null,
  };
  const nativePdf = entry.native_pdf ?? false;
  const accepts = entry.accepts ?? ['url', 'base64', ...FORMATS];
  return {
    ...needs,
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
    demo: false,
    probe: entry.probe ?? (adapter.local || entry.health_url != null),
    status: adapter.missing(needs) === null && !lacksNamedKey ? ('available' as const) : ('coming_soon' as const),
  };
}
