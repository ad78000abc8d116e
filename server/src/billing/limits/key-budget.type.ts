import { Field, ObjectType } from 'type-graphql';
import { enumType } from '../../platform/enum-type.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

export const BudgetPeriod = enumType('BudgetPeriod', 'When a key’s spending limit begins anew: at midnight UTC.', {
  day: 'Every day.',
  week: 'Every Monday.',
  month: 'On the first of every month.',
  total: 'Never.',
});
export type BudgetPeriod = keyof typeof BudgetPeriod;

@ObjectType({
  description:
    'What a key may spend. A request that would reserve more than is left is refused (`budget_exceeded`). What was ' +
    'accepted is charged in full: requests that are priced by tokens may cost more than was reserved for them.',
  simpleResolvers: true,
})
export class KeyBudget {
  keyId!: string;

  @Field(() => UsdScalar, { description: 'The limit.' })
  amount!: NanoUsd;

  @Field(() => BudgetPeriod, { description: 'When it begins anew.' })
  period!: BudgetPeriod;

  @Field(() => UsdScalar, {
    description:
      'What requests that were accepted in this period, since the limit was set, have cost, less what was refunded.',
  })
  spent!: NanoUsd;

  @Field(() => UsdScalar, { description: 'Reserved for those of them that have not ended.' })
  held!: NanoUsd;

  @Field(() => UsdScalar, { description: 'What is left.' })
  remaining!: NanoUsd;

  @Field(() => Date, { nullable: true, description: 'When the next period begins; null for never.' })
  endsAt!: Date | null;
}
