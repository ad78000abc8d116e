import type { Balance } from '../billing/ledger.ts';
import { reserve } from '../billing/pricing.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { Engine } from '../engines/engine.ts';
import { AppError } from '../errors.ts';
import type { CostEstimate } from './cost-estimate.type.ts';
import { parsePageRange } from './page-range.ts';

/** What would be sent, as far as its cost goes. */
export interface Intention {
  readonly engine: string;
  readonly fallbackEngine: string | null;
  readonly pageCount: number | null;
  readonly pageRange: string | null;
}

/** What would be reserved, by the rules of acceptance. Throws `unknown_engine` and `invalid_request` as sending would. */
export function costEstimate(
  intention: Intention,
  balance: Balance,
  context: { catalogue: Catalogue; obstacle: (engine: Engine) => string | null },
): CostEstimate {
  const engine = context.catalogue.require(intention.engine);
  const other = intention.fallbackEngine
    ? context.catalogue.require(intention.fallbackEngine, 'fallback_engine')
    : null;
  const pages = billedPages(intention, engine);
  const own = reserve(engine, pages);
  const second = other ? reserve(other, pages) : 0n;
  const reserved = second > own ? second : own; // Math.max takes no bigint
  const available = balance.posted - balance.held;
  const tokenPriced = engine.tokenPrices !== null;
  return {
    engine: engine.id,
    pages,
    reserved,
    tokenPriced,
    available,
    covered: reserved <= available && !(tokenPriced && balance.owed > 0n),
    obstacle: engine.status === 'coming_soon' ? 'coming_soon' : context.obstacle(engine),
  };
}

function billedPages({ pageCount, pageRange }: Intention, { id, maxPagesPerRequest }: Engine): number {
  if (pageCount !== null && (pageCount < 1 || pageCount > maxPagesPerRequest)) {
    throw new AppError(
      'invalid_request',
      `pageCount: engine "${id}" takes 1 to ${maxPagesPerRequest} pages a request.`,
    );
  }
  if (pageRange === null) return pageCount ?? 1;
  const picked = parsePageRange(pageRange, maxPagesPerRequest).length;
  return Math.min(picked, pageCount ?? picked);
}
