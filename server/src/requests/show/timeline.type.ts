import { Field, ObjectType } from 'type-graphql';
import { enumType } from '../../platform/enum-type.ts';

const TimelineKind = enumType('TimelineKind', 'What happened to a request.', {
  accepted: 'It was accepted.',
  held: 'Money was reserved.',
  started: 'A worker took it, the last time.',
  document: 'Its document was there and readable.',
  rendered: 'Its pages were pictures.',
  attempt: 'A run on an engine ended.',
  settled: 'It ended.',
  delivered: 'Its webhook was delivered.',
  delivery_failed: 'An attempt to deliver its webhook failed.',
});
export type TimelineKind = keyof typeof TimelineKind;

@ObjectType({ description: 'Something that happened to a request.', simpleResolvers: true })
export class TimelineEvent {
  @Field(() => Date, { description: 'When.' })
  at!: Date;

  @Field(() => TimelineKind, { description: 'What happened.' })
  kind!: TimelineKind;

  @Field(() => String, { nullable: true, description: 'Engine and outcome, status, or what the receiver answered.' })
  detail!: string | null;
}
