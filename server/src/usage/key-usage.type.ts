import { Field, Float, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';

@ObjectType({
  description: 'What was sent with a key in the last 30 days (UTC), today among them.',
  simpleResolvers: true,
})
export class KeyUsage {
  @Field(() => Float, { description: 'Requests that ended.' })
  requests!: number;

  @Field(() => Float, { description: 'Pages processed.' })
  pages!: number;

  @Field(() => UsdScalar, { description: 'Charged, in USD.' })
  spent!: NanoUsd;
}
