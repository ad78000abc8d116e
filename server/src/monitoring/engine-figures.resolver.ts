import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { isOperator } from '../accounts/callers/account-scope.ts';
import { requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import type { Availability } from '../engines/availability.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { EngineType } from '../engines/engine.type.ts';
import type { Engine } from '../engines/model/engine.ts';
import { Obstacle } from '../engines/model/obstacle.ts';
import { within } from '../platform/numbers/require-range.ts';
import type { EngineLoaders } from './engine-loaders.ts';
import type { StateSince } from './probes/engine-state-log.ts';
import type { HealthStore } from './probes/health-store.ts';
import type { Prober } from './probes/probe.job.ts';
import { uptimeHistory } from './probes/uptime-history.ts';
import { MOST_LATENCY_DAYS } from './series/daily-latency.ts';
import { MOST_CHARGED_DAYS } from './series/engine-charges.ts';
import { EngineCharge } from './series/engine-charges.type.ts';
import { EngineWindow } from './series/engine-window.type.ts';
import { EngineHealth, EngineStats, LatencyBucket, LatencyDay, UptimeHistory } from './series/series.type.ts';

/** The measured fields of an engine, beside those of the catalogue. */
@Resolver(() => EngineType)
export class EngineFiguresResolver {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly availability: Availability,
    private readonly prober: Prober,
    private readonly store: HealthStore,
    private readonly loaders: (context: Context) => EngineLoaders,
  ) {}

  @Query(() => EngineType, { description: 'One engine of the catalogue.' })
  engine(@Arg('id', () => ID, { description: 'Engine id.' }) id: string): Engine {
    return this.catalogue.byId(id);
  }

  @FieldResolver(() => Obstacle, { nullable: true, description: 'Why it takes no requests now; null when it does.' })
  obstacle(@Root() engine: Engine): Obstacle | null {
    return this.availability.obstacle(engine);
  }

  @FieldResolver(() => Boolean, { description: 'The operator’s switch: whether it takes requests, when it is well.' })
  enabled(@Root() engine: Engine): boolean {
    return this.availability.isEnabled(engine);
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: 'Since when its health is what it is, or it is switched off; null before anybody looked.',
  })
  async stateSince(@Root() engine: Engine, @Ctx() context: Context): Promise<Date | null> {
    const { state, health } = this.loaders(context);
    const [logged, now] = await Promise.all([state.load(engine.id), health.load(engine)]);
    if (now.obstacle === 'disabled') return this.availability.switchedAt(engine) ?? sinceOf(logged, 'disabled');
    // The log is some seconds behind: its entry counts only for the present state.
    return sinceOf(logged, now.status) ?? now.failingSince;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What its provider said to its latest call, when that failed; null when it did not, or for others than operators.',
  })
  async lastError(@Root() engine: Engine, @Ctx() context: Context): Promise<string | null> {
    if (!isOperator(context.caller)) return null;
    const { health, words, showsMessages } = this.loaders(context);
    const [{ lastMessage, lastRequestId, faultMessage, providerFault }, said] = await Promise.all([
      health.load(engine),
      words.load(engine.id),
    ]);
    if (lastRequestId === null || !(await showsMessages.load(lastRequestId))) return null;
    // The words belong to the latest fault of their kind; the latest call may have failed in another way.
    const isOfLatest = lastMessage === faultMessage && said?.fault === providerFault;
    return lastMessage && said?.words && isOfLatest ? `${lastMessage} Its words: “${said.words}”` : lastMessage;
  }

  @FieldResolver(() => EngineWindow, { description: 'What it did in the last hours.' })
  async window(
    @Root() engine: Engine,
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Whole hours to look back, 1 to 720.' }) hours: number,
    @Ctx() context: Context,
  ): Promise<EngineWindow> {
    const loader = this.loaders(context).window(within('hours', hours, 720));
    const window = await loader.load(engine.id);
    return isOperator(context.caller) ? window : { ...window, spent: null };
  }

  @FieldResolver(() => EngineHealth, { description: 'How it is now.' })
  health(@Root() engine: Engine, @Ctx() context: Context): Promise<EngineHealth> {
    return this.loaders(context).health.load(engine);
  }

  @FieldResolver(() => EngineStats, { nullable: true, description: 'Its statistics; null when it has not worked yet.' })
  stats(@Root() engine: Engine, @Ctx() context: Context): Promise<EngineStats | null> {
    return this.loaders(context).stats.load(engine.id);
  }

  @FieldResolver(() => [LatencyBucket], { description: 'Hourly latency, oldest first.' })
  latency(
    @Root() engine: Engine,
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Hours to look back, 1 to 720.' }) hours: number,
    @Ctx() context: Context,
  ): Promise<LatencyBucket[]> {
    return this.loaders(context)
      .latency(within('hours', hours, 720))
      .load(engine.id);
  }

  @FieldResolver(() => [LatencyDay], {
    description: 'Latency by UTC day, oldest first; days without requests are left out.',
  })
  dailyLatency(
    @Root() engine: Engine,
    @Arg('days', () => Int, {
      defaultValue: 30,
      description: `Days to look back, today included, 1 to ${MOST_LATENCY_DAYS}.`,
    })
    days: number,
    @Ctx() context: Context,
  ): Promise<LatencyDay[]> {
    return this.loaders(context)
      .dailyLatency(within('days', days, MOST_LATENCY_DAYS))
      .load(engine.id);
  }

  @FieldResolver(() => [EngineCharge], {
    nullable: true,
    description:
      'What callers were charged by clock hour, oldest first; hours without requests are left out. Null for others than operators.',
  })
  hourlyCharges(
    @Root() engine: Engine,
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Hours to look back, 1 to 720.' }) hours: number,
    @Ctx() context: Context,
  ): Promise<EngineCharge[]> | null {
    const loader = this.loaders(context).hourlyCharges(within('hours', hours, 720));
    return isOperator(context.caller) ? loader.load(engine.id) : null;
  }

  @FieldResolver(() => [EngineCharge], {
    nullable: true,
    description:
      'What callers were charged by UTC day, oldest first; days without requests are left out. Null for others than operators.',
  })
  dailyCharges(
    @Root() engine: Engine,
    @Arg('days', () => Int, {
      defaultValue: 30,
      description: `Days to look back, today included, 1 to ${MOST_CHARGED_DAYS}.`,
    })
    days: number,
    @Ctx() context: Context,
  ): Promise<EngineCharge[]> | null {
    const loader = this.loaders(context).dailyCharges(within('days', days, MOST_CHARGED_DAYS));
    return isOperator(context.caller) ? loader.load(engine.id) : null;
  }

  @FieldResolver(() => UptimeHistory, { description: 'Daily uptime.' })
  async uptime(
    @Root() engine: Engine,
    @Arg('days', () => Int, { defaultValue: 30, description: 'Days to look back, 1 to 365.' }) days: number,
    @Ctx() context: Context,
  ): Promise<UptimeHistory> {
    const loader = this.loaders(context).uptime(within('days', days, 365));
    return uptimeHistory(engine.id, days, await loader.load(engine.id));
  }

  @Mutation(() => EngineHealth, { description: 'Probes an engine now, and answers how it is; operators only.' })
  async probeEngine(
    @Arg('id', () => ID, { description: 'Engine id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<EngineHealth> {
    requireScope(caller, 'operator');
    const engine = this.catalogue.byId(id);
    await this.prober.probeNow(engine);
    const [health] = await this.store.of([engine]);
    if (!health) throw new Error('one engine has one health');
    return health;
  }
}

function sinceOf(logged: StateSince | null, state: StateSince['state']): Date | null {
  return logged?.state === state ? logged.since : null;
}
