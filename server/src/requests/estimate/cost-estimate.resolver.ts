import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import type { Wallets } from '../../billing/wallets.ts';
import type { Availability } from '../../engines/availability.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import { costEstimate } from './cost-estimate.ts';
import { CostEstimate } from './cost-estimate.type.ts';

/** The cost before sending. */
@Resolver()
export class CostEstimateResolver {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly availability: Availability,
    private readonly wallets: Wallets,
  ) {}

  @Query(() => CostEstimate, { description: 'What a request would cost, with the caller’s balance; nothing is sent.' })
  async estimateCost(
    @Arg('engine', () => ID, { description: 'Engine id.' }) engine: string,
    @Arg('pageCount', () => Int, { nullable: true, description: 'Pages to process; 1 when absent.' })
    pageCount: number | null | undefined,
    @Arg('pageRange', () => String, { nullable: true, description: 'Pages to read, such as `1-3,5`.' })
    pageRange: string | null | undefined,
    @Arg('fallbackEngine', () => ID, { nullable: true, description: 'Engine for the scanned pages of a PDF.' })
    fallbackEngine: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<CostEstimate> {
    const { accountId } = requireScope(context.caller, 'usage:read');
    const intention = {
      engine,
      pageCount: pageCount ?? null,
      pageRange: pageRange || null,
      fallbackEngine: fallbackEngine || null,
    };
    const { catalogue, availability } = this;
    const obstacle = availability.obstacle.bind(availability);
    return costEstimate(intention, await this.wallets.balance(accountId), { catalogue, obstacle });
  }
}
