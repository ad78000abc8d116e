import { Field, ObjectType } from 'type-graphql';

export type TimelineKind =
  | 'accepted'
  | 'held'
  | 'started'
  | 'document'
  | 'rendered'
  | 'attempt'
  | 'settled'
  | 'delivered'
  | 'delivery_failed';

@ObjectType({ description: 'Something that happened to a request.', simpleResolvers: true })
export class TimelineEvent {
  @Field(() => Date, { description: 'When.' })
  at!: Date;

  @Field(() => String, {
    description:
      '`accepted`, `held` (money was reserved), `started` (a worker took it, last time), `document` (it was there and ' +
      'readable), `rendered` (its pages were pictures), `attempt` (a run on an engine ended), `settled`, ' +
      '`delivered` or `delivery_failed` (an attempt to deliver its webhook).',
  })
  kind!: TimelineKind;

  @Field(() => String, { nullable: true, description: 'Engine and outcome, status, or what the receiver answered.' })
  detail!: string | null;
}
