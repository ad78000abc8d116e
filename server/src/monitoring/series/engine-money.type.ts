import { Field, Float, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

@ObjectType({
  description: 'What an engine brought in and what its provider takes for it, over the last clock hours.',
  simpleResolvers: true,
})
export class EngineMoney {
  @Field(() => Date, { description: 'Start of the first of these hours.' })
  since!: Date;

  @Field(() => Float, { description: 'Runs that were looked at.' })
  runs!: number;

  @Field(() => Float, { description: 'Pages that they read.' })
  pages!: number;

  @Field(() => Boolean, {
    description: 'Whether there were more runs in these hours than the newest that are looked at.',
  })
  isCut!: boolean;

  @Field(() => UsdScalar, {
    description: 'What callers were charged for requests of these runs that ended on this engine.',
  })
  charged!: NanoUsd;

  @Field(() => UsdScalar, {
    nullable: true,
    description:
      'What the provider takes for these runs: what it reported, and for pages that are sold by the page what the catalogue ' +
      'says it takes for one. Null where a part of it is not known.',
  })
  providerCost!: NanoUsd | null;

  @Field(() => Float, { description: 'Runs whose cost the provider has not reported yet.' })
  pendingRuns!: number;

  @Field(() => UsdScalar, {
    nullable: true,
    description: 'What the provider takes for a page, as the catalogue says it; null where it says nothing.',
  })
  providerCostPerPage!: NanoUsd | null;

  @Field(() => UsdScalar, {
    nullable: true,
    description: 'What is left of the charge; null where the cost is not known.',
  })
  margin!: NanoUsd | null;
}
