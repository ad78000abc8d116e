import { Field, Float, ObjectType } from 'type-graphql';
import { Account } from '../accounts/model/account.ts';
import { type Edge, edgeType } from '../database/paging/edge.type.ts';
import { PageInfo } from '../database/paging/page-info.type.ts';
import { enumType } from '../platform/enum-type.ts';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';

export const AccountOrder = enumType('AccountOrder', 'What accounts are sorted by.', {
  email: 'Their e-mail addresses.',
  available: 'What their balances have left.',
  owed: 'What they owe.',
  requests: 'How many of their requests of the days have ended.',
  cost: 'What the requests of the days were charged.',
});
export type AccountOrder = keyof typeof AccountOrder;

@ObjectType({ description: 'An account, and what it used in some days.', simpleResolvers: true })
export class AccountUsage {
  @Field(() => Account, { description: 'The account.' })
  account!: Account;

  @Field(() => Float, { description: 'Requests of the days that have ended.' })
  requests!: number;

  @Field(() => Float, { description: 'Pages processed.' })
  pages!: number;

  @Field(() => Float, { description: 'Those of the requests that were not read.' })
  failed!: number;

  @Field(() => UsdScalar, { description: 'What the requests were charged, in USD.' })
  cost!: NanoUsd;

  @Field(() => [UsdScalar], { description: 'The same by day (UTC), the earliest first: one for each of the days.' })
  costByDay!: NanoUsd[];
}

const AccountUsageEdge = edgeType('AccountUsageEdge', AccountUsage);

@ObjectType({ description: 'One page of accounts with what they used.', simpleResolvers: true })
export class AccountUsagePage {
  @Field(() => [AccountUsage], { description: 'The accounts.' })
  nodes!: AccountUsage[];

  @Field(() => [AccountUsageEdge], { description: 'The same, each with its cursor.' })
  edges!: Edge<AccountUsage>[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
