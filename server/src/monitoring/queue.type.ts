import { Field, Float, ID, Int, ObjectType } from 'type-graphql';

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

@ObjectType({ description: 'A worker process with requests at work.', simpleResolvers: true })
export class WorkerState {
  @Field(() => ID, { description: 'The owner of its leases: host, process id and a random part.' })
  owner!: string;

  @Field(() => [String], { description: 'Ids of the engines that it works for.' })
  engines!: string[];

  @Field(() => Int, { description: 'Requests at work.' })
  running!: number;

  @Field(() => Date, { description: 'When the first of its leases ends, unless it is renewed.' })
  leaseExpiresAt!: Date;
}
