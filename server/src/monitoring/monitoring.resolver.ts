import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../accounts/callers/context.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { Engine } from '../engines/model/engine.ts';
import { AppError } from '../platform/errors.ts';
import { within } from '../platform/numbers/require-range.ts';
import { API_VERSION, CHANGELOG, ChangelogEntry } from './changelog.ts';
import type { HealthStore } from './probes/health-store.ts';
import type { Prober } from './probes/probe.job.ts';
import { uptimeHistory } from './probes/uptime-history.ts';
import type { Series } from './series/series.ts';
import { EngineStats, EnginesHealth, LatencySeries, UptimeHistory } from './series/series.type.ts';

@ObjectType({ description: 'The service itself.', simpleResolvers: true })
export class ServiceStatus {
  @Field(() => Boolean, { description: 'Whether the service answers.' })
  ok!: boolean;

  @Field(() => Int, { description: 'Engines in the catalogue.' })
  engineCount!: number;

  @Field(() => String, { nullable: true, description: 'Version of the running service; with a key only.' })
  version!: string | null;

  @Field(() => Int, { nullable: true, description: 'Seconds since the process started; with a key only.' })
  uptimeSeconds!: number | null;
}

@ObjectType({ description: 'The API’s version and its changes.', simpleResolvers: true })
export class Changelog {
  @Field(() => String, { description: 'Version of the newest entry.' })
  apiVersion!: string;

  @Field(() => [ChangelogEntry], { description: 'The changes, newest first.' })
  changelog!: readonly ChangelogEntry[];
}

@Resolver()
export class MonitoringResolver {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly series: Series,
    private readonly prober: Prober,
    private readonly health: HealthStore,
    private readonly version: string,
  ) {}

  @Query(() => ServiceStatus, { description: 'Whether the service answers, and what it is.' })
  serviceStatus(@Ctx() { caller }: Context): ServiceStatus {
    return {
      ok: true,
      engineCount: this.catalogue.engines.length,
      version: caller ? this.version : null,
      uptimeSeconds: caller ? Math.floor(process.uptime()) : null,
    };
  }

  @Query(() => Changelog, { description: 'The API’s changes.' })
  changelog(): Changelog {
    return { apiVersion: API_VERSION, changelog: CHANGELOG };
  }

  @Query(() => [EngineStats], { description: 'Statistics of every engine that has worked.' })
  engineStats(): Promise<EngineStats[]> {
    return this.series.stats(null);
  }

  @Query(() => EngineStats, { description: 'Statistics of one engine.' })
  async statsOfEngine(@Arg('id', () => ID, { description: 'Engine id.' }) id: string): Promise<EngineStats> {
    const [stats] = await this.series.stats(this.catalogue.byId(id).id);
    if (!stats) throw new AppError('not_found', `Engine "${id}" has no recorded statistics yet.`);
    return stats;
  }

  @Query(() => LatencySeries, { description: 'Hourly latency of one engine.' })
  async engineLatency(
    @Arg('id', () => ID, { description: 'Engine id.' }) id: string,
    @Arg('hours', () => Int, { defaultValue: 168, description: 'Hours to look back, 1 to 720.' }) hours: number,
  ): Promise<LatencySeries> {
    const engine = this.catalogue.byId(id);
    return { engineId: engine.id, hours, data: await this.series.latency(engine.id, within('hours', hours, 720)) };
  }

  @Query(() => UptimeHistory, { description: 'Daily uptime of one engine.' })
  async engineUptime(
    @Arg('id', () => ID, { description: 'Engine id.' }) id: string,
    @Arg('days', () => Int, { defaultValue: 30, description: 'Days to look back, 1 to 365.' }) days: number,
  ): Promise<UptimeHistory> {
    const engine = this.catalogue.byId(id);
    return uptimeHistory(engine.id, days, await this.series.uptime(engine.id, within('days', days, 365)));
  }

  @Query(() => EnginesHealth, { description: 'Live health of the engines that are probed, or of all.' })
  async enginesHealth(
    @Arg('engines', () => String, {
      nullable: true,
      description: '`all` adds those that are not probed: their latest calls say how they are.',
    })
    wanted: string | null | undefined,
  ): Promise<EnginesHealth> {
    if (wanted != null && wanted !== 'all') throw new AppError('invalid_request', 'engines: can be `all` only.');
    const { shown } = this.prober;
    const engines = await this.health.of(wanted === 'all' ? this.#withUnprobed(shown) : shown);
    const healthy = engines.filter(({ status }) => status === 'healthy').length;
    return { total: engines.length, healthy, engines };
  }

  /** The probed engines and others, in the order of the catalogue, without those that nobody can use yet. */
  #withUnprobed(probed: readonly Engine[]): Engine[] {
    return this.catalogue.engines.filter((engine) => engine.status === 'available' || probed.includes(engine));
  }
}
