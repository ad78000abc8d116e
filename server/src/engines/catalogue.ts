import { AppError } from '../platform/errors.ts';
import type { EngineEntry } from './engines-file.ts';
import type { Engine } from './model/engine.ts';
import { suggest } from './suggest.ts';

const COMPARABLE_POINTS = 5;

/** Every engine of this installation: those of the configuration, in its order, and those that are only announced. */
export class Catalogue {
  readonly configured: readonly Engine[];
  readonly #toAnnounced: (entry: EngineEntry) => Engine;
  #announced: readonly Engine[] = [];
  #all: readonly Engine[];
  #byId: ReadonlyMap<string, Engine>;

  /** `toAnnounced` makes what is shown of an engine that takes no requests. */
  constructor(configured: readonly Engine[], toAnnounced: (entry: EngineEntry) => Engine) {
    this.configured = configured;
    this.#toAnnounced = toAnnounced;
    this.#all = configured;
    this.#byId = byId(configured);
  }

  get engines(): readonly Engine[] {
    return this.#all;
  }

  /** Engines that are shown as `coming_soon` and never called, with the figures that are stored of them. */
  get announced(): readonly Engine[] {
    return this.#announced;
  }

  /** Announces these and no others; the ids of configured engines go first. */
  announce(entries: readonly EngineEntry[]): void {
    const taken = new Set(this.configured.map(({ id }) => id));
    this.#announced = entries.filter(({ id }) => !taken.has(id)).map(this.#toAnnounced);
    this.#all = [...this.configured, ...this.#announced];
    this.#byId = byId(this.#all);
  }

  isAnnounced({ id }: Pick<Engine, 'id'>): boolean {
    return this.#announced.some((engine) => engine.id === id);
  }

  find(id: string): Engine | undefined {
    return this.#byId.get(id);
  }

  /** The engine with an id. Throws `not_found`. */
  byId(id: string): Engine {
    const engine = this.#byId.get(id);
    if (!engine) throw new AppError('not_found', `There is no engine "${id.slice(0, 200)}".`);
    return engine;
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
