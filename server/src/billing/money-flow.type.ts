import { Field, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';

@ObjectType('MoneyFlow', { description: 'The money of all accounts together.', simpleResolvers: true })
export class MoneyFlowType {
  @Field(() => Date, { description: 'From when on movements are counted.' })
  since!: Date;

  @Field(() => UsdScalar, { description: 'What callers were charged since then.' })
  spent!: NanoUsd;

  @Field(() => UsdScalar, { description: 'The part of it that failed attempts cost at their providers.' })
  chargedOnFailures!: NanoUsd;

  @Field(() => UsdScalar, { description: 'Credit that came in since then.' })
  toppedUp!: NanoUsd;

  @Field(() => UsdScalar, { description: 'Owed amounts that were collected since then.' })
  collected!: NanoUsd;

  @Field(() => UsdScalar, { description: 'Owed by all accounts, now.' })
  owed!: NanoUsd;

  @Field(() => UsdScalar, { description: 'Reserved for requests that have not ended, now.' })
  held!: NanoUsd;

  @Field(() => UsdScalar, { description: 'What all accounts can spend, now.' })
  available!: NanoUsd;
}
