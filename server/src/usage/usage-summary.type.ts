import { Field, Float, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';

@ObjectType({ description: 'Finished requests in numbers.', simpleResolvers: true })
export class UsageSlice {
  @Field(() => String, {
    description: 'What they have in common: a day (UTC, YYYY-MM-DD), an engine id or a key id; empty for a total.',
  })
  of!: string;

  @Field(() => String, { nullable: true, description: 'Label of the key; null for anything else.' })
  label!: string | null;

  @Field(() => Float, { description: 'Requests that ended.' })
  requests!: number;

  @Field(() => Float, { description: 'Pages processed.' })
  pages!: number;

  @Field(() => Float, {
    description: 'Requests that were not read: those of the statuses `failed` and `rejected` together.',
  })
  failed!: number;

  @Field(() => UsdScalar, { description: 'Charged, in USD.' })
  cost!: NanoUsd;

  @Field(() => UsdScalar, {
    description: 'Charged though not read: what those that were not read were charged in all.',
  })
  chargedOnFailures!: NanoUsd;
}

@ObjectType({ description: 'What one engine was used for on one day.', simpleResolvers: true })
export class UsageDayOfEngine {
  @Field(() => String, { description: 'Day, UTC, YYYY-MM-DD.' })
  day!: string;

  @Field(() => String, { description: 'Id of the engine that had the result.' })
  engine!: string;

  @Field(() => Float, { description: 'Requests that ended.' })
  requests!: number;

  @Field(() => Float, { description: 'Pages processed.' })
  pages!: number;

  @Field(() => Float, {
    description: 'Requests that were not read: those of the statuses `failed` and `rejected` together.',
  })
  failed!: number;

  @Field(() => UsdScalar, { description: 'Charged, in USD.' })
  cost!: NanoUsd;
}

@ObjectType({ description: 'What an account used in some days, by day, by engine and by key.', simpleResolvers: true })
export class UsageSummary {
  @Field(() => String, { description: 'First day, UTC, YYYY-MM-DD.' })
  from!: string;

  @Field(() => String, { description: 'Last day, UTC, YYYY-MM-DD.' })
  to!: string;

  @Field(() => UsageSlice, { description: 'All of it.' })
  total!: UsageSlice;

  @Field(() => [UsageSlice], { description: 'Day by day, oldest first; days without requests are left out.' })
  byDay!: UsageSlice[];

  @Field(() => [UsageSlice], { description: 'By engine that had the result, the dearest first.' })
  byEngine!: UsageSlice[];

  @Field(() => [UsageDayOfEngine], {
    description: 'Each engine day by day, oldest first; days on which it was not used are left out.',
  })
  byDayAndEngine!: UsageDayOfEngine[];

  @Field(() => [UsageSlice], { description: 'By key (`login:…` for the playground), the dearest first.' })
  byKey!: UsageSlice[];
}
