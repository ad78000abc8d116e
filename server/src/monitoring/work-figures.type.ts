import { Field, Float, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';

/** What all engines did in some hours, and what callers were charged in them: the fields of several types. */
@ObjectType({ simpleResolvers: true })
export abstract class WorkFigures {
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
