import { Field, ID, ObjectType } from 'type-graphql';
import { type Edge, edgeType } from '../database/paging/edge.type.ts';
import { PageInfo } from '../database/paging/page-info.type.ts';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';
import { USAGE_DOUBTED } from './charge.ts';
import { LedgerTransfer } from './ledger-transfer.ts';

@ObjectType('Balance', { description: 'What an account has.', simpleResolvers: true })
export class BalanceType {
  @Field(() => UsdScalar, { description: 'What can be spent now: posted minus held.' })
  available!: NanoUsd;

  @Field(() => UsdScalar, { description: 'Reserved for requests that have not ended.' })
  held!: NanoUsd;

  @Field(() => UsdScalar, {
    description:
      'Owed beside the balance; whatever becomes free pays it first: a top-up, a correction, what a request did not need.',
  })
  owed!: NanoUsd;

  @Field(() => UsdScalar, {
    description: 'What requests have cost so far, in USD; what was refunded is not taken off.',
  })
  spent!: NanoUsd;

  @Field(() => UsdScalar, {
    nullable: true,
    description: 'Below what can be spent the owner wants to be told; null for never. `setLowBalance` sets it.',
  })
  lowThreshold!: NanoUsd | null;

  @Field(() => Boolean, { description: 'Whether less than that can be spent now.' })
  isLow!: boolean;
}

@ObjectType('PendingCost', {
  description: 'An attempt whose provider has not said what it cost.',
  simpleResolvers: true,
})
export class PendingCostType {
  @Field(() => ID, { description: 'Attempt id.' })
  attemptId!: string;

  @Field(() => ID, { description: 'Request id.' })
  requestId!: string;

  @Field(() => String, { description: 'Engine id.' })
  engine!: string;

  @Field(() => Date, { description: 'When the attempt started.' })
  createdAt!: Date;

  @Field(() => Boolean, { description: USAGE_DOUBTED })
  usageDoubted!: boolean;
}

@ObjectType({ description: 'What a verified cost took from the account.', simpleResolvers: true })
export class VerifiedCost {
  @Field(() => UsdScalar, { description: 'Taken from the balance.' })
  debited!: NanoUsd;

  @Field(() => UsdScalar, { description: 'Owed, where the balance did not cover it.' })
  owed!: NanoUsd;
}

@ObjectType({ description: 'What was given back of a request’s charge.', simpleResolvers: true })
export class OcrRefund {
  @Field(() => ID, { description: 'The account that has it again.' })
  accountId!: string;

  @Field(() => UsdScalar, { description: 'Given back now.' })
  refunded!: NanoUsd;

  @Field(() => UsdScalar, { description: 'What the account can spend now.' })
  available!: NanoUsd;

  @Field(() => UsdScalar, { description: 'What it owes now.' })
  owed!: NanoUsd;
}

@ObjectType({ description: 'An invariant of the ledger.', simpleResolvers: true })
export class LedgerCheck {
  @Field(() => String, { description: 'What must hold.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it holds.' })
  ok!: boolean;

  @Field(() => String, { description: 'How many rows violate it.' })
  detail!: string;
}

const LedgerEdge = edgeType('LedgerEdge', LedgerTransfer);

@ObjectType({ description: 'One page of an account’s ledger, newest first.', simpleResolvers: true })
export class LedgerPage {
  @Field(() => [LedgerTransfer], { description: 'The transfers.' })
  nodes!: LedgerTransfer[];

  @Field(() => [LedgerEdge], { description: 'The same, each with its cursor.' })
  edges!: Edge<LedgerTransfer>[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
