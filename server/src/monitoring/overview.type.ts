import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';

@ObjectType({ description: 'All engines and accounts together, over the last clock hours.', simpleResolvers: true })
export class Overview {
  @Field(() => Int, { description: 'Whole hours looked back, besides the one that runs.' })
  hours!: number;

  @Field(() => Date, { description: 'Start of the first of these hours.' })
  since!: Date;

  @Field(() => Float, { description: 'Runs of requests on engines.' })
  requests!: number;

  @Field(() => Float, { description: 'Those of them that failed on the engine’s side.' })
  failed!: number;

  @Field(() => Float, { description: 'Calls that were answered with an error before there was a request of them.' })
  refused!: number;

  @Field(() => Float, { nullable: true, description: 'Share of the runs that failed so, 0 to 1; null without runs.' })
  errorRate!: number | null;

  @Field(() => Float, { nullable: true, description: 'Median engine time per page in milliseconds.' })
  p50Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '95th percentile of it in milliseconds.' })
  p95Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '99th percentile of it in milliseconds.' })
  p99Ms!: number | null;

  @Field(() => UsdScalar, { description: 'What callers were charged in these hours.' })
  spent!: NanoUsd;

  @Field(() => UsdScalar, { description: 'The part of it that failed attempts cost at their providers.' })
  chargedOnFailures!: NanoUsd;

  @Field(() => UsdScalar, { description: 'Owed by all accounts, now.' })
  owed!: NanoUsd;
}
