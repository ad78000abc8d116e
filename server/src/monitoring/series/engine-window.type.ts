import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

@ObjectType({
  description: 'What an engine did in the last clock hours: so many whole ones, and the one that runs.',
  simpleResolvers: true,
})
export class EngineWindow {
  @Field(() => ID, { description: 'Engine id.' })
  engineId!: string;

  @Field(() => Int, { description: 'Whole hours looked back.' })
  hours!: number;

  @Field(() => Float, { description: 'Requests that it worked on.' })
  requests!: number;

  @Field(() => Float, { description: 'Those of them that failed on the engine’s side.' })
  errors!: number;

  @Field(() => Float, {
    description: 'Calls that asked for it and were refused, because it took no requests: none of them is a request.',
  })
  unavailable!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Share of `requests` that failed so, 0 to 1; null without requests.',
  })
  errorRate!: number | null;

  @Field(() => Float, { nullable: true, description: 'Median engine time per page in milliseconds.' })
  p50Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '95th percentile of it in milliseconds.' })
  p95Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '99th percentile of it in milliseconds.' })
  p99Ms!: number | null;

  @Field(() => UsdScalar, {
    nullable: true,
    description: 'What callers were charged for requests that ended on it; null for others than operators.',
  })
  spent!: NanoUsd | null;
}
