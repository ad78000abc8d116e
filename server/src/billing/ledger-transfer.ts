import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { enumType } from '../platform/enum-type.ts';
import type { NanoUsd } from '../platform/money.ts';
import { UsdScalar } from '../platform/usd.scalar.ts';

const LedgerSide = enumType('LedgerSide', 'What a transfer takes from, or gives to.', {
  wallet: 'The account’s balance.',
  cash: 'What came in by top-ups.',
  revenue: 'What requests earned.',
  provider_cost: 'What providers cost, passed on as it is.',
  receivable: 'What the account owes.',
  adjustment: 'What stands against corrections by operators.',
  refund: 'What stands against refunds by operators.',
});
type LedgerSide = keyof typeof LedgerSide;

const TransferKind = enumType('TransferKind', 'Why money moved.', {
  top_up: 'Credit came in.',
  charge: 'The price of a request.',
  provider_cost: 'A failed attempt, at cost.',
  collected: 'An owed amount was paid.',
  adjustment: 'A correction by an operator.',
  refund: 'An operator gave back of what a request was charged.',
  written_off: 'What an account owed when it came to its end is not asked for any more.',
});
type TransferKind = keyof typeof TransferKind;

@ObjectType({
  description:
    'One movement of money from a debited to a credited side: double-entry by construction. Rows are only ever added.',
  simpleResolvers: true,
})
@Entity({ tableName: 'ledger_transfer' })
export class LedgerTransfer {
  @Field(() => ID, { description: 'Number of the transfer, rising.' })
  /** A bigint of the database as text: GraphQL's ids know no other numbers than those of JavaScript. */
  @PrimaryKey({ type: 'bigint', autoincrement: true })
  id!: string;

  @Property({ type: 'uuid' })
  accountId!: string;

  @Field(() => TransferKind, { description: 'Why the money moved.' })
  @Property({ type: 'text' })
  kind!: TransferKind;

  @Field(() => LedgerSide, { description: 'The side that gives.' })
  @Property({ type: 'text' })
  debit!: LedgerSide;

  @Field(() => LedgerSide, { description: 'The side that receives.' })
  @Property({ type: 'text' })
  credit!: LedgerSide;

  @Field(() => UsdScalar, { description: 'Amount in USD, always positive.' })
  @Property({ type: 'bigint' })
  amount!: NanoUsd;

  @Field(() => String, { nullable: true, description: 'The request that the money pays for, or is given back for.' })
  @Property({ type: 'text', nullable: true })
  requestId: string | null = null;

  /** In the table a refund has its own id here: a request's transfers of one kind are told apart by it. */
  @Field(() => String, { nullable: true, description: 'The attempt whose late cost this is.' })
  @Property({ type: 'text', nullable: true })
  attemptId: string | null = null;

  @Field(() => String, { nullable: true, description: 'Of a top-up or a correction: why it was made.' })
  @Property({ type: 'text', nullable: true })
  reason: string | null = null;

  /** Of a top-up or a correction: a repetition changes nothing. */
  @Property({ type: 'text', nullable: true })
  idempotencyKey: string | null = null;

  /** Of no column: a page of the ledger knows it. */
  @Field(() => UsdScalar, {
    nullable: true,
    description:
      'What the account’s balance was after it, in USD: what could be spent, and what was held. Null outside of `ledger`, ' +
      'and with more than 100,000 later transfers.',
  })
  balanceAfter: NanoUsd | null = null;

  @Field(() => Date, { description: 'When it was written.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt: Date = new Date();

  /** The transaction that wrote the row, set by the database: roll-ups and proofs tell by it what they have counted. */
  @Property({ type: 'string', columnType: 'xid8', defaultRaw: 'pg_current_xact_id()' })
  recordedXid?: string;
}
