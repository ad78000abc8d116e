import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';
import { WorkFigures } from './work-figures.type.ts';

@ObjectType({ description: 'All engines and accounts together, over the last clock hours.', simpleResolvers: true })
export class Overview extends WorkFigures {
  @Field(() => Int, { description: 'Whole hours looked back, besides the one that runs.' })
  hours!: number;

  @Field(() => Date, { description: 'Start of the first of these hours.' })
  since!: Date;

  @Field(() => Float, { description: 'Refused calls: answered with an error before there was a request of them.' })
  refused!: number;

  @Field(() => UsdScalar, { description: 'Owed by all accounts, now.' })
  owed!: NanoUsd;
}
