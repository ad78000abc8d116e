import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ODD_USAGE, type TokenOverrun, USAGE_DOUBTED } from '../../billing/charge.ts';
import { ProviderFault } from '../../engines/model/provider-fault.ts';
import { enumType } from '../../platform/enum-type.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

const AttemptBilling = enumType('AttemptBilling', 'What is known of what a provider bills for an attempt.', {
  none: 'No cost was reported. An engine of this machine has none; of one that is sold by the page it is not known what its provider takes.',
  settled: 'It is settled.',
  pending: 'The provider has not reported what it costs, or not credibly.',
  verified: 'An operator has verified a late bill.',
});
type AttemptBilling = keyof typeof AttemptBilling;

export const AttemptOutcome = enumType('AttemptOutcome', 'How an attempt ended.', {
  ok: 'The engine read its pages.',
  refused: 'The engine’s content filter refused a page; no refused call, which never becomes a request.',
  empty: 'The engine returned no text for a page with ink on it.',
  truncated: 'The text of a page breaks off or runs in circles.',
  timeout: 'The engine did not answer in time.',
  failed: 'The engine failed, or could not be reached.',
  rejected: 'The provider rejected what `native_settings` asked for.',
  unreadable: 'Nobody can read a page.',
  cancelled: 'The request was cancelled meanwhile.',
  lost: 'The process that made it died.',
});
export type AttemptOutcome = keyof typeof AttemptOutcome;

@ObjectType({ description: 'One run of a request on one engine.', simpleResolvers: true })
@Entity({ tableName: 'attempt' })
export class Attempt {
  @Field(() => ID, { description: 'Attempt id, `att_…`.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Property({ type: 'text' })
  requestId!: string;

  @Field(() => Int, { description: 'Which attempt of the request this is, from 1.' })
  @Property({ type: 'integer' })
  number!: number;

  @Field(() => String, { description: 'Engine id.' })
  @Property({ type: 'text' })
  engine!: string;

  @Field(() => Date, { description: 'When it started.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  startedAt: Date = new Date();

  @Field(() => Date, { nullable: true, description: 'When it ended.' })
  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  finishedAt: Date | null = null;

  @Field(() => AttemptOutcome, { nullable: true, description: 'How it ended.' })
  @Property({ type: 'text', nullable: true })
  outcome: AttemptOutcome | null = null;

  @Field(() => Int, {
    nullable: true,
    description: 'Engine time in milliseconds, of all its pages added up: pages are read side by side.',
  })
  @Property({ type: 'integer', nullable: true })
  providerLatencyMs: number | null = null;

  @Field(() => Int, { nullable: true, description: 'Pages the engine read.' })
  @Property({ type: 'integer', nullable: true })
  pages: number | null = null;

  @Field(() => Int, {
    nullable: true,
    description: 'Pages that the engine worked on, read or not; null for attempts of earlier versions.',
  })
  @Property({ type: 'integer', nullable: true })
  pagesTried: number | null = null;

  @Field(() => AttemptBilling, { description: 'What is known of what its provider bills.' })
  @Property({ type: 'text' })
  billing: AttemptBilling = 'none';

  @Field(() => UsdScalar, {
    description:
      'What the provider bills for it, where that is known: the 0 of `billing: none` is no cost of a provider, but none ' +
      'that was reported. To others than operators no more than the request was ' +
      'charged: what goes beyond is not theirs to pay.',
  })
  @Property({ type: 'bigint' })
  cost: NanoUsd = 0n;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'The provider’s usage objects, one a call, as they came; for operators, null for others.',
  })
  @Property({ type: 'json', nullable: true })
  usage: unknown = null;

  /** Null for attempts of earlier versions: their message says it. */
  @Property({ type: 'boolean', fieldName: 'usage_doubted', nullable: true })
  isUsageDoubted: boolean | null = null;

  @Field(() => Boolean, { description: USAGE_DOUBTED })
  get usageDoubted(): boolean {
    return this.isUsageDoubted ?? this.message?.includes(ODD_USAGE) ?? false;
  }

  @Field(() => String, { nullable: true, description: 'The provider’s own id of the (last) call.' })
  @Property({ type: 'text', nullable: true })
  providerRequestId: string | null = null;

  @Field(() => String, { nullable: true, description: 'Model or program version that answered.' })
  @Property({ type: 'text', nullable: true })
  modelVersion: string | null = null;

  @Field(() => String, { nullable: true, description: 'What went wrong.' })
  @Property({ type: 'text', nullable: true })
  message: string | null = null;

  /** What of its request's messages is its engine's or its provider's own words: not kept where texts are not. */
  quotes: readonly string[] = [];

  /** Of its calls those that took more tokens than the operator says. Told when it ends, and not stored. */
  overrun: TokenOverrun | null = null;

  /** Characters of its message before the first quote; null where it quotes nothing. */
  @Property({ type: 'smallint', nullable: true })
  quoteAt: number | null = null;

  @Field(() => ProviderFault, {
    nullable: true,
    description: 'The first fault that its provider answered with; null where there was none, or no answer.',
  })
  @Property({ type: 'text', nullable: true })
  providerFault: ProviderFault | null = null;

  /** The transaction that wrote the row, set by the database: roll-ups tell by it which rows they have counted. */
  @Property({ type: 'string', columnType: 'xid8', defaultRaw: 'pg_current_xact_id()' })
  recordedXid?: string;

  /**
   * The attempt as the account sees it, without usage. A provider's cost is the operator's business: no more is shown than
   * was charged.
   */
  forCaller({ cost }: { readonly cost: NanoUsd }): Attempt {
    return Object.assign(new Attempt(), this, { cost: this.cost < cost ? this.cost : cost, usage: null });
  }
}
