import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';

@ObjectType({
  description: 'All engines and accounts together, between the starts of two clock hours.',
  simpleResolvers: true,
})
export class PeriodFigures {
  @Field(() => Date, { description: 'Start of its first hour.' })
  since!: Date;

  @Field(() => Date, { description: 'End of its last hour.' })
  until!: Date;

  @Field(() => Float, { description: 'Runs of requests on engines (attempts).' })
  requests!: number;

  @Field(() => Float, {
    description: 'Engine errors: those of them that failed or timed out by the engine’s fault. No number of requests.',
  })
  failed!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Error rate: engine errors over runs, 0 to 1, without refused calls; null without runs.',
  })
  errorRate!: number | null;

  @Field(() => Float, { nullable: true, description: 'Median engine time per page in milliseconds.' })
  p50Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '95th percentile of it in milliseconds.' })
  p95Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '99th percentile of it in milliseconds.' })
  p99Ms!: number | null;

  @Field(() => UsdScalar, { description: 'What callers were charged in these hours.' })
  spent!: NanoUsd;

  @Field(() => UsdScalar, {
    description:
      'What failures cost: the part of it that failed attempts took at their providers, also those of requests that were read.',
  })
  chargedOnFailures!: NanoUsd;
}

@ObjectType({
  description:
    'The last whole clock hours and as many before them. The hour that runs is in neither: both are equally long.',
  simpleResolvers: true,
})
export class PeriodComparison {
  @Field(() => Int, { description: 'Hours of each of the two.' })
  hours!: number;

  @Field(() => PeriodFigures, { description: 'The last whole hours.' })
  latest!: PeriodFigures;

  @Field(() => PeriodFigures, {
    nullable: true,
    description: 'As many hours before; null where they are longer ago than hours are kept (31 days).',
  })
  before!: PeriodFigures | null;
}
