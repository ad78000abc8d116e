import { fundsNeeded } from '../../billing/charge.ts';
import type { Balance } from '../../billing/wallets.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import type { Obstacle } from '../../engines/model/obstacle.ts';
import { askedPages, requirePageCount } from '../model/page-range.ts';
import type { CostEstimate } from './cost-estimate.type.ts';

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
  context: { catalogue: Catalogue; obstacle: (engine: Engine) => Obstacle | null },
): CostEstimate {
  const engine = context.catalogue.require(intention.engine);
  const other = intention.fallbackEngine
    ? context.catalogue.require(intention.fallbackEngine, 'fallback_engine')
    : null;
  requirePageCount(intention.pageCount, engine, 'pageCount');
  const pages = askedPages(intention, engine.maxPagesPerRequest).length;
  const { hold: reserved } = fundsNeeded(engine, other, pages);
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
