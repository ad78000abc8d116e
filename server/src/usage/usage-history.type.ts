import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';
import { Mode, RequestStatus } from '../requests/model/request-enums.ts';

@ObjectType({ description: 'One request in the usage history.', simpleResolvers: true })
export class UsageRecord {
  @Field(() => ID, { description: 'Request id.' })
  requestId!: string;

  @Field(() => Date, { description: 'When it was accepted.' })
  createdAt!: Date;

  @Field(() => String, { description: 'Engine id.' })
  engine!: string;

  @Field(() => RequestStatus, { description: 'Status, as reading the request shows it.' })
  status!: RequestStatus;

  @Field(() => Int, { nullable: true, description: 'Pages processed and billed; null while it is running.' })
  pages!: number | null;

  @Field(() => UsdScalar, { description: 'Charged, in USD.' })
  cost!: NanoUsd;

  @Field(() => Int, { nullable: true, description: 'Engine time in milliseconds; null when it did not answer.' })
  providerLatencyMs!: number | null;

  @Field(() => Mode, { description: 'Whether its caller waited for the result.' })
  mode!: Mode;

  @Field(() => String, { nullable: true, description: 'Label of the key that sent it; null without one.' })
  keyLabel!: string | null;
}

@ObjectType({ description: 'One page of the usage history.', simpleResolvers: true })
export class UsageHistoryPage {
  @Field(() => [UsageRecord], { description: 'The requests, newest first.' })
  records!: UsageRecord[];

  @Field(() => Int, { description: 'This page, counted from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Requests on one page.' })
  perPage!: number;

  @Field(() => GraphQLBigInt, { description: 'Requests on all pages.' })
  total!: bigint;

  @Field(() => UsdScalar, { description: 'Charged for the requests on all pages, in USD.' })
  totalCost!: NanoUsd;
}
