import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ProviderFault } from '../../engines/model/provider-fault.ts';
import type { NanoUsd } from '../../platform/money.ts';
import { UsdScalar } from '../../platform/usd.scalar.ts';

/** `none`: not billed by the provider; `pending`: the provider has not said what it cost. */
export type AttemptBilling = 'none' | 'settled' | 'pending' | 'verified';

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

  @Field(() => String, {
    nullable: true,
    description:
      'How it ended: `ok`, `refused`, `empty`, `truncated`, `timeout`, `failed`, `rejected` (what native_settings asked for), `unreadable` or `lost`.',
  })
  @Property({ type: 'text', nullable: true })
  outcome: string | null = null;

  @Field(() => Int, { nullable: true, description: 'Engine time in milliseconds.' })
  @Property({ type: 'integer', nullable: true })
  providerLatencyMs: number | null = null;

  @Field(() => Int, { nullable: true, description: 'Pages the engine read.' })
  @Property({ type: 'integer', nullable: true })
  pages: number | null = null;

  @Field(() => String, { description: '`none`, `settled`, `pending` or `verified`.' })
  @Property({ type: 'text' })
  billing: AttemptBilling = 'none';

  @Field(() => UsdScalar, { description: 'What the provider bills for it, where that is known.' })
  @Property({ type: 'bigint' })
  cost: NanoUsd = 0n;

  @Field(() => GraphQLJSON, { nullable: true, description: 'The provider’s usage objects, one a call, as they came.' })
  @Property({ type: 'json', nullable: true })
  usage: unknown = null;

  @Field(() => String, { nullable: true, description: 'The provider’s own id of the (last) call.' })
  @Property({ type: 'text', nullable: true })
  providerRequestId: string | null = null;

  @Field(() => String, { nullable: true, description: 'Model or program version that answered.' })
  @Property({ type: 'text', nullable: true })
  modelVersion: string | null = null;

  @Field(() => String, { nullable: true, description: 'What went wrong.' })
  @Property({ type: 'text', nullable: true })
  message: string | null = null;

  @Field(() => ProviderFault, {
    nullable: true,
    description: 'The first fault that its provider answered with; null where there was none, or no answer.',
  })
  @Property({ type: 'text', nullable: true })
  providerFault: ProviderFault | null = null;

  /** The transaction that wrote the row, set by the database: roll-ups tell by it which rows they have counted. */
  @Property({ type: 'string', columnType: 'xid8', defaultRaw: 'pg_current_xact_id()' })
  recordedXid?: string;
}
