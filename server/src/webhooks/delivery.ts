import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../database/paging/node.type.ts';
import { enumType } from '../platform/enum-type.ts';
import type { NanoUsd } from '../platform/money.ts';

export type DeliveryEvent = 'ocr.completed' | 'webhook.test';

export const DeliveryStatus = enumType('DeliveryStatus', 'Where a delivery stands.', {
  pending: 'It is on its way.',
  delivered: 'The receiver took it.',
  failed: 'The receiver did not take it.',
  skipped: 'It was not sent.',
});
export type DeliveryStatus = keyof typeof DeliveryStatus;

@ObjectType('WebhookDelivery', {
  description: 'A webhook on its way, as of one attempt to deliver it. What the receiver answered is not kept.',
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: 'webhook_delivery' })
export class Delivery {
  @Field(() => ID, { description: 'Delivery id, `whd_…`: the header `webhook-id`, the same for all its attempts.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Property({ type: 'uuid' })
  accountId!: string;

  @Field(() => ID, { nullable: true, description: 'The registration of its URL; null when there is none.' })
  @Property({ type: 'text', nullable: true })
  webhookId: string | null = null;

  @Field(() => ID, { nullable: true, description: 'The request that it announces; null for a ping.' })
  @Property({ type: 'text', nullable: true })
  requestId: string | null = null;

  @Field(() => String, {
    description:
      'Where it is sent; to operators of other accounts without its query. Empty once it is over and its request was deleted, unless the URL is registered.',
  })
  @Property({ type: 'text' })
  url!: string;

  /** The receiver: host and port of the URL. Receivers have places of their own, so that one that hangs delays no other. */
  @Property({ type: 'text' })
  origin!: string;

  @Field(() => String, { description: '`ocr.completed` or `webhook.test`.' })
  @Property({ type: 'text' })
  event!: DeliveryEvent;

  /** Whether the event is a failure: registrations for `ocr.failed` receive no others. */
  @Property({ type: 'boolean' })
  isFailure = false;

  /** The `traceparent` of the request; null where the request was not traced. */
  @Property({ type: 'text', nullable: true })
  trace: string | null = null;

  /** Engine and cost of the request, for a body whose request cannot be read back. */
  @Property({ type: 'text', nullable: true })
  engine: string | null = null;

  @Property({ type: 'bigint' })
  cost: NanoUsd = 0n;

  /** The body that every attempt sends, byte by byte; rendered before the first one. */
  @Field(() => String, {
    nullable: true,
    description: 'The body as it is sent, byte by byte: what its signature is of. Null before the first attempt.',
  })
  @Property({ type: 'text', nullable: true })
  body: string | null = null;

  /** Whether its request was deleted: the body then tells of what is left, and is not stored. */
  @Property({ type: 'boolean' })
  isDiscarded = false;

  @Field(() => DeliveryStatus, { description: 'Where it stands.' })
  @Property({ type: 'text' })
  status!: DeliveryStatus;

  @Field(() => Int, {
    description: 'From 1; rises each time it is sent again by hand, and attempts are then counted from 1 again.',
  })
  @Property({ type: 'integer' })
  round = 1;

  @Field(() => Int, { description: 'Which attempt of its round this is, from 1 to 4; 0 when nothing was sent.' })
  @Property({ type: 'integer' })
  attempt = 0;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the receiver; null without an answer.' })
  @Property({ type: 'integer', nullable: true })
  responseCode: number | null = null;

  @Field(() => Int, { nullable: true, description: 'Milliseconds that the receiver took; null when nothing was sent.' })
  @Property({ type: 'integer', nullable: true })
  latencyMs: number | null = null;

  @Field(() => String, { nullable: true, description: 'Why it failed or was skipped.' })
  @Property({ type: 'text', nullable: true })
  error: string | null = null;

  /** The headers of one attempt, from `webhook_attempt`: the row of the delivery has none. */
  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'The headers that the attempt was sent with, in lower case; the signature among them only while its body may be kept. Null when nothing ' +
      'was sent, for attempts of versions that did not keep them, of a deleted request, for operators of other accounts and for keys that may not read texts.',
  })
  headers: Readonly<Record<string, string>> | null = null;

  /** When the next attempt is due; while one is under way, when its lease ends. */
  @Property({ type: 'Date', columnType: 'timestamptz' })
  nextAttemptAt: Date = new Date();

  @Property({ type: 'text', nullable: true })
  leaseOwner: string | null = null;

  /** Claims in a row after which nothing was sent; 0 from the moment on at which the receiver may get it. */
  @Property({ type: 'smallint' })
  unsent = 0;

  /** Rises with every claim: a process with an older number can change nothing. */
  @Property({ type: 'integer' })
  fence = 0;

  @Field(() => Date, { description: 'When the attempt was made; when it was announced, as long as there is none.' })
  @Property({ type: 'Date', columnType: 'timestamptz' })
  createdAt: Date = new Date();

  @Property({ type: 'Date', columnType: 'timestamptz', nullable: true })
  finishedAt: Date | null = null;

  /**
   * A copy without body and headers, for readers who may not read the account's texts: the body has a preview of the text, and
   * the headers have a signature of the body.
   */
  withoutBody(): Delivery {
    return Object.assign(new Delivery(), this, { body: null, headers: null });
  }

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'The body; null before the first attempt.' })
  get payload(): Record<string, unknown> | null {
    return this.body === null ? null : JSON.parse(this.body);
  }
}
