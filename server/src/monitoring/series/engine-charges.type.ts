import { Field, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

@ObjectType({
  description: 'What callers were charged for an engine’s requests of one clock hour or one UTC day.',
  simpleResolvers: true,
})
export class EngineCharge {
  @Field(() => Date, { description: 'Start of the hour or day, in which the requests were accepted.' })
  since!: Date;

  @Field(() => UsdScalar, { description: 'What they cost their callers.' })
  spent!: NanoUsd;
}
