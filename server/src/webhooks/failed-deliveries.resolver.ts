import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { managedAccount } from '../accounts/callers/account-scope.ts';
import { requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from '../database/paging/page-size.ts';
import { type FailedDeliveries, MOST_AGAIN } from './failed-deliveries.ts';
import { FailedDeliveryPage } from './failed-delivery.type.ts';

/** Failed webhooks, for operators. */
@Resolver()
export class FailedDeliveriesResolver {
  constructor(private readonly failed: FailedDeliveries) {}

  @Query(() => FailedDeliveryPage, {
    description: 'Webhooks that were given up, of every account or of one, newest first; operators only.',
  })
  failedDeliveries(
    @Arg('accountId', () => ID, { nullable: true, description: 'Of this account; of every one when absent.' })
    accountId: string | null | undefined,
    @Arg('receiver', () => String, { nullable: true, description: 'To this host and port; to every one when absent.' })
    receiver: string | null | undefined,
    @Arg('since', () => Date, { nullable: true, description: 'Given up at this time or later.' })
    since: Date | null | undefined,
    @Arg('first', () => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'Deliveries on one page, 1 to 100.' })
    first: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' })
    after: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<FailedDeliveryPage> {
    requireScope(caller, 'operator');
    const owner = accountId == null ? null : managedAccount(caller, accountId);
    const filter = { accountId: owner, receiver: receiver ?? null, since: since ?? null };
    return this.failed.page(filter, { size: pageSize(first), after: after ?? null, caller });
  }

  @Mutation(() => Int, {
    description:
      `Sends up to ${MOST_AGAIN} failed webhooks again, each with the same id and the same bytes, and answers how many ` +
      'are on their way; operators only.',
  })
  redeliverWebhooks(
    @Arg('deliveryIds', () => [ID], { description: 'Delivery ids.' }) deliveryIds: string[],
    @Ctx() { caller }: Context,
  ): Promise<number> {
    requireScope(caller, 'operator');
    return this.failed.sendAgain(deliveryIds);
  }
}
