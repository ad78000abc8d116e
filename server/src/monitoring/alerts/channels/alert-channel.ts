import { Field, ID, Int, ObjectType } from 'type-graphql';
import { enumType } from '../../../platform/enum-type.ts';
import { AlertKind } from '../kinds/alert-kind.ts';

export const AlertChannelKind = enumType('AlertChannelKind', 'How alerts are sent.', {
  webhook: 'A signed POST (Standard Webhooks) with the alerts in JSON.',
  slack: 'A POST with a text, as Slack, Mattermost and others take it at an incoming webhook.',
  email: 'A message to one or more addresses.',
});
export type AlertChannelKind = keyof typeof AlertChannelKind;

export const AlertDeliveryStatus = enumType('AlertDeliveryStatus', 'What became of a notice.', {
  pending: 'It is due, or will be tried once more.',
  delivered: 'The receiver has taken it.',
  failed: 'It was given up.',
});
export type AlertDeliveryStatus = keyof typeof AlertDeliveryStatus;

const AlertDeliveryEvent = enumType('AlertDeliveryEvent', 'Why a notice was sent.', {
  alert: 'Alerts began or ended.',
  test: 'Somebody tried the channel out.',
});
export type AlertDeliveryEvent = keyof typeof AlertDeliveryEvent;

@ObjectType({ description: 'Where alerts are sent.', simpleResolvers: true })
export class AlertChannel {
  @Field(() => ID, { description: 'Channel id, `alc_…`.' })
  id!: string;

  @Field(() => AlertChannelKind, { description: 'How it is sent there.' })
  kind!: AlertChannelKind;

  @Field(() => String, { description: 'A name for people.' })
  label!: string;

  @Field(() => String, { description: 'URL or addresses; of a `slack` URL, which is a secret, only its server.' })
  target!: string;

  @Field(() => [AlertKind], {
    nullable: true,
    description: 'The kinds of alerts that are sent there; null: all of them.',
  })
  kinds!: AlertKind[] | null;

  @Field(() => Boolean, { description: 'Whether alerts are sent there.' })
  isActive!: boolean;

  @Field(() => Date, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret of a `webhook`, in the answers of `createAlertChannel` and `rotateAlertChannelSecret` only; else null.',
  })
  secret!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'Until when the secret before the last rotation signs, too; null when only one signs.',
  })
  previousSecretUntil!: Date | null;

  @Field(() => Int, { description: 'Notices that are due, or will be tried once more.' })
  waiting!: number;

  @Field(() => Date, { nullable: true, description: 'When the latest notice was delivered or given up; null before.' })
  lastEndedAt!: Date | null;

  @Field(() => AlertDeliveryStatus, { nullable: true, description: 'What became of that one.' })
  lastStatus!: AlertDeliveryStatus | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the latest attempt failed, or which addresses refused it; null when it was taken for all.',
  })
  lastError!: string | null;
}

@ObjectType({ description: 'A notice that is sent to a channel, and what became of it.', simpleResolvers: true })
export class AlertDelivery {
  @Field(() => ID, { description: 'Delivery id, `ald_…`: the header `webhook-id` of a `webhook`.' })
  id!: string;

  @Field(() => ID, { description: 'Channel id.' })
  channelId!: string;

  @Field(() => AlertDeliveryEvent, { description: 'Why it is sent.' })
  event!: AlertDeliveryEvent;

  @Field(() => String, { description: 'Its first line.' })
  title!: string;

  @Field(() => AlertDeliveryStatus, { description: 'What became of it.' })
  status!: AlertDeliveryStatus;

  @Field(() => Int, { description: 'Attempts made.' })
  attempt!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'What the receiver answered to the latest one; null without an answer.',
  })
  responseCode!: number | null;

  @Field(() => Int, { nullable: true, description: 'How long the latest one took, in milliseconds.' })
  latencyMs!: number | null;

  @Field(() => String, { nullable: true, description: 'Why the latest one failed, or which addresses refused it.' })
  error!: string | null;

  @Field(() => Date, { description: 'When it was due.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it is tried next; null when it is over.' })
  nextAttemptAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was delivered or given up; null while it is not.' })
  finishedAt!: Date | null;
}
