import { Entity, Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../database/money.ts';
import { UsdScalar } from '../database/usd.scalar.ts';

const HOLD_STATES = ['held', 'settled', 'released'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

@ObjectType({
  description: 'Money reserved for a request when it was accepted. It resolves once.',
  simpleResolvers: true,
})
@Entity({ tableName: 'hold' })
export class Hold {
  @PrimaryKey({ type: 'text' })
  requestId!: string;

  @Property({ type: 'uuid' })
  accountId!: string;

  @Field(() => UsdScalar, { description: 'Reserved amount in USD.' })
  @Property({ type: 'bigint' })
  amount!: NanoUsd;

  @Field(() => String, { description: '`held`, `settled` or `released`.' })
  @Enum({ items: () => [...HOLD_STATES], type: 'text' })
  state: HoldState = 'held';

  @Field(() => Date, { description: 'When the money was reserved.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt: Date = new Date();

  @Field(() => Date, { nullable: true, description: 'When the hold was settled or released.' })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  resolvedAt: Date | null = null;
}
