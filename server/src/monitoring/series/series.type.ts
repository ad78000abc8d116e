import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { Obstacle } from '../../engines/model/obstacle.ts';
import { ProviderFault } from '../../engines/model/provider-fault.ts';
import { HealthStatus } from './health.ts';

@ObjectType({ description: 'Requests of one engine in numbers, of all time.', simpleResolvers: true })
export class EngineStats {
  @Field(() => ID, { description: 'Engine id.' })
  engineId!: string;

  @Field(() => Float, { description: 'Requests the engine worked on.' })
  totalRequests!: number;

  @Field(() => Float, { description: 'Pages it read.' })
  totalPages!: number;

  @Field(() => Float, { nullable: true, description: 'Mean engine time per page in milliseconds.' })
  avgLatencyMs!: number | null;

  @Field(() => Float, { nullable: true, description: 'Share of requests that failed on the engine’s side, 0 to 1.' })
  errorRate!: number | null;

  @Field(() => Date, { nullable: true, description: 'Last use.' })
  lastUsed!: Date | null;
}

@ObjectType({ description: 'One hour of an engine.', simpleResolvers: true })
export class LatencyBucket {
  @Field(() => Date, { description: 'Start of the hour, UTC.' })
  bucketHour!: Date;

  @Field(() => Int, { description: 'Requests that ended in the hour.' })
  requestCount!: number;

  @Field(() => Float, { nullable: true, description: 'Median engine time per page in milliseconds.' })
  p50Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '95th percentile of it in milliseconds.' })
  p95Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '99th percentile of it in milliseconds.' })
  p99Ms!: number | null;

  @Field(() => Int, { description: 'Requests that failed on the engine’s side.' })
  errorCount!: number;
}

@ObjectType({ description: 'One day of an engine.', simpleResolvers: true })
export class LatencyDay {
  @Field(() => String, { description: 'Day, UTC, YYYY-MM-DD.' })
  date!: string;

  @Field(() => Int, { description: 'Requests that ended on the day.' })
  requestCount!: number;

  @Field(() => Float, { nullable: true, description: 'Median engine time per page in milliseconds.' })
  p50Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '95th percentile of it in milliseconds.' })
  p95Ms!: number | null;

  @Field(() => Float, { nullable: true, description: '99th percentile of it in milliseconds.' })
  p99Ms!: number | null;

  @Field(() => Int, { description: 'Requests that failed on the engine’s side.' })
  errorCount!: number;
}

@ObjectType({ description: 'Hourly latency of an engine; hours without requests are left out.', simpleResolvers: true })
export class LatencySeries {
  @Field(() => ID, { description: 'Engine id.' })
  engineId!: string;

  @Field(() => Int, { description: 'Hours looked back.' })
  hours!: number;

  @Field(() => [LatencyBucket], { description: 'The hours, oldest first.' })
  data!: LatencyBucket[];
}

@ObjectType({ description: 'One day of an engine’s health checks.', simpleResolvers: true })
export class UptimeDay {
  @Field(() => String, { description: 'Day, UTC, YYYY-MM-DD.' })
  date!: string;

  @Field(() => Int, { description: 'Checks made.' })
  checksTotal!: number;

  @Field(() => Int, { description: 'Checks that found the engine healthy.' })
  checksHealthy!: number;

  @Field(() => Float, { description: 'Share of healthy checks, 0 to 100.' })
  uptimePct!: number;
}

@ObjectType({ description: 'Daily uptime of an engine; days without checks are left out.', simpleResolvers: true })
export class UptimeHistory {
  @Field(() => ID, { description: 'Engine id.' })
  engineId!: string;

  @Field(() => Int, { description: 'Days looked back.' })
  days!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Share of healthy checks in all days, 0 to 100; null without checks.',
  })
  overallUptimePct!: number | null;

  @Field(() => Int, { description: 'Checks in all days.' })
  totalChecks!: number;

  @Field(() => [UptimeDay], { description: 'The days, oldest first.' })
  data!: UptimeDay[];
}

@ObjectType({ description: 'How an engine did with its latest requests.', simpleResolvers: true })
export class HealthMetrics {
  @Field(() => Float, { description: 'Requests of all time.' })
  totalRequests!: number;

  @Field(() => Int, { description: 'Latest requests that the other figures are of.' })
  windowSize!: number;

  @Field(() => Float, { nullable: true, description: 'Share of successes, 0 to 1.' })
  successRate!: number | null;

  @Field(() => Float, { nullable: true, description: 'Mean engine time per page in milliseconds.' })
  avgLatencyMs!: number | null;

  @Field(() => Float, { nullable: true, description: 'Median of it in milliseconds.' })
  p50LatencyMs!: number | null;

  @Field(() => Float, { nullable: true, description: '95th percentile of it in milliseconds.' })
  p95LatencyMs!: number | null;

  @Field(() => Float, { nullable: true, description: '99th percentile of it in milliseconds.' })
  p99LatencyMs!: number | null;
}

@ObjectType({ description: 'Live health of one engine.', simpleResolvers: true })
export class EngineHealth {
  @Field(() => ID, { description: 'Engine id.' })
  engineId!: string;

  @Field(() => String, { description: 'Engine name.' })
  engineName!: string;

  @Field(() => String, { nullable: true, description: 'URL that is asked; null for an engine inside the process.' })
  healthUrl!: string | null;

  @Field(() => HealthStatus, { description: 'How it is.' })
  status!: HealthStatus;

  @Field(() => String, { nullable: true, description: 'What is wrong, when it is not healthy.' })
  detail!: string | null;

  @Field(() => Obstacle, { nullable: true, description: 'Why it takes no requests now; null when it does.' })
  obstacle!: Obstacle | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'When the first of the calls ended that have all failed since; null when it is well, or fails otherwise.',
  })
  failingSince!: Date | null;

  @Field(() => ProviderFault, {
    nullable: true,
    description:
      'What its provider answered to its latest call, when that failed; null when it did not. `credentials_refused` and `no_credit` stand through failures that say nothing of them.',
  })
  providerFault!: ProviderFault | null;

  @Field(() => HealthMetrics, { description: 'How it did with its latest requests.' })
  metrics!: HealthMetrics;

  /** The message of its latest call, when that failed; what a provider says is for operators. */
  lastMessage!: string | null;

  /** The request of that call: it may not be shown any more what was said of it. */
  lastRequestId!: string | null;

  /** The message of the call that `providerFault` is of. */
  faultMessage!: string | null;

  /** Both messages without what they quote of a provider, which may cite a page: for what outlives a request. */
  lastUnquoted!: string | null;
  faultUnquoted!: string | null;

  /** Whether its latest call did not fail, or a probe that reads has succeeded since. */
  isAnswered!: boolean;
}

@ObjectType({ description: 'Live health of engines.', simpleResolvers: true })
export class EnginesHealth {
  @Field(() => Int, { description: 'Engines that were asked for.' })
  total!: number;

  @Field(() => Int, { description: 'Those of them that are `healthy`.' })
  healthy!: number;

  @Field(() => [EngineHealth], { description: 'One entry an engine.' })
  engines!: EngineHealth[];
}
