import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { enumType } from '../../platform/enum-type.ts';

@ObjectType({ description: 'What waits for an engine, and what it works on.', simpleResolvers: true })
export class EngineQueue {
  @Field(() => ID, { description: 'Engine id.' })
  engineId!: string;

  @Field(() => Int, { description: 'Requests that wait.' })
  queued!: number;

  @Field(() => Int, { description: 'Requests at work.' })
  running!: number;

  @Field(() => Float, { nullable: true, description: 'Age of the oldest that waits, in seconds; null without one.' })
  oldestAgeSeconds!: number | null;
}

@ObjectType({ description: 'How full the queue was at a time, over some minutes.', simpleResolvers: true })
export class QueuePoint {
  @Field(() => Date, { description: 'Start of these minutes.' })
  at!: Date;

  @Field(() => Float, { description: 'Requests that waited, on average.' })
  queued!: number;

  @Field(() => Int, { description: 'Most requests that waited at once.' })
  queuedMax!: number;

  @Field(() => Float, { description: 'Requests at work, on average.' })
  running!: number;

  @Field(() => Float, { nullable: true, description: 'Greatest age of one that waited, in seconds; null without one.' })
  oldestAgeSeconds!: number | null;
}

const WorkerRole = enumType('WorkerRole', 'What a process does.', {
  all: 'It serves the API and works.',
  worker: 'It works only.',
});
type WorkerRole = keyof typeof WorkerRole;

@ObjectType({ description: 'A process that works.', simpleResolvers: true })
export class WorkerState {
  @Field(() => ID, { description: 'The owner of its leases: host, process id and a random part.' })
  owner!: string;

  @Field(() => [String], { description: 'Ids of the engines that it has requests of.' })
  engines!: string[];

  @Field(() => Int, { description: 'Requests at work.' })
  running!: number;

  @Field(() => Date, {
    nullable: true,
    description: 'When the first of its leases ends, unless it is renewed; null without one.',
  })
  leaseExpiresAt!: Date | null;

  @Field(() => WorkerRole, { nullable: true, description: 'What it does; null when unknown.' })
  role!: WorkerRole | null;

  @Field(() => String, { nullable: true, description: 'Version of its program.' })
  version!: string | null;

  @Field(() => Date, { nullable: true, description: 'When it started.' })
  startedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it last said that it lives, which it does every 5 seconds.' })
  lastHeartbeatAt!: Date | null;
}
