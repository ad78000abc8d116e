import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Obstacle } from '../../engines/model/obstacle.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

@ObjectType({ description: 'What a request would cost, before it is sent.', simpleResolvers: true })
export class CostEstimate {
  @Field(() => ID, { description: 'Engine id.' })
  engine!: string;

  @Field(() => Int, { description: 'Pages that would be billed.' })
  pages!: number;

  @Field(() => UsdScalar, { description: 'Reserved while it runs: the price of these pages, the dearer engine’s.' })
  reserved!: NanoUsd;

  @Field(() => Boolean, {
    description:
      'Whether the charge follows the tokens that the engine uses; it may then be less or more than reserved.',
  })
  tokenPriced!: boolean;

  @Field(() => UsdScalar, { description: 'What the account can spend now.' })
  available!: NanoUsd;

  @Field(() => Boolean, { description: 'Whether it would be accepted with what the account has now.' })
  covered!: boolean;

  @Field(() => Obstacle, { nullable: true, description: 'Why the engine would not take it now; null when it would.' })
  obstacle!: Obstacle | null;
}
