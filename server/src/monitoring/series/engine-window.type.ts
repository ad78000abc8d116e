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

  @Field(() => Float, { description: 'Engine errors: those of them that failed or timed out by the engine’s fault.' })
  errors!: number;

  @Field(() => Float, {
    description: 'Refused calls that asked for it while it took no requests (503): none of them is a request.',
  })
  unavailable!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Error rate: engine errors over `requests`, 0 to 1, without refused calls; null without requests.',
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
