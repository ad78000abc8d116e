import { GraphQLBigInt } from 'graphql-scalars';
import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';
import type { Wallets } from './wallets.ts';

@ObjectType({ description: 'Balance and totals of the caller’s account, of all time.', simpleResolvers: true })
export class Usage {
  @Field(() => UsdScalar, { description: 'What can be spent now: posted minus held.' })
  balance!: NanoUsd;

  @Field(() => UsdScalar, {
    description: 'What requests have cost so far, in USD; what was refunded is not taken off.',
  })
  spent!: NanoUsd;

  @Field(() => GraphQLBigInt, { description: 'Requests accepted.' })
  requests!: bigint;

  @Field(() => GraphQLBigInt, { description: 'Pages processed.' })
  pages!: bigint;

  @Field(() => String, { description: 'Always `all_time`.' })
  period!: string;
}

@Resolver()
export class BillingResolver {
  constructor(private readonly wallets: Wallets) {}

  @Query(() => Usage, { description: 'Balance and totals of the caller’s account.' })
  async usage(@Ctx() context: Context): Promise<Usage> {
    const caller = requireScope(context.caller, 'usage:read');
    return { ...(await this.wallets.totals(caller.accountId)), period: 'all_time' };
  }
}
