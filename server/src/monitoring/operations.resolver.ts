import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { type MoneyFlow } from '../billing/money-flow.ts';
import { MoneyFlowType } from '../billing/money-flow.type.ts';
import type { Pool } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import { adapterOf } from '../engines/adapters/registry.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { within } from '../platform/numbers/require-range.ts';
import { startOfDay } from '../platform/numbers/times.ts';
import { Deployment } from './deployment.type.ts';
import type { DeploymentLog } from './deployments.ts';
import { overview } from './overview.ts';
import { Overview } from './overview.type.ts';
import { comparePeriods } from './period-figures.ts';
import { PeriodComparison } from './period-figures.type.ts';
import { EngineCheck } from './probes/engine-check.type.ts';
import { checksOfDay } from './probes/engine-checks.ts';
import type { EngineStateLog } from './probes/engine-state-log.ts';
import type { RefusalStore } from './refusals/refusal-store.ts';
import { ERRORS_AMONG, engineErrors } from './series/engine-errors.ts';
import { EngineErrors } from './series/engine-errors.type.ts';
import { engineMoney, MONEY_AMONG } from './series/engine-money.ts';
import { EngineMoney } from './series/engine-money.type.ts';
import { windowStart } from './series/engine-window.ts';

const MOST_DEPLOYMENTS = 50;

/** Figures of the whole service, and what operators look into. */
@Resolver()
export class OperationsResolver {
  constructor(
    private readonly reports: { readonly pool: Pool; readonly ready: ReportsReady },
    private readonly catalogue: Catalogue,
    private readonly money: MoneyFlow,
    private readonly states: EngineStateLog,
    private readonly refusals: RefusalStore,
    private readonly deploymentLog: DeploymentLog,
  ) {}

  @Query(() => Overview, { description: 'Engines and money over the last hours, all together; operators only.' })
  overview(
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Whole hours to look back, 1 to 720.' }) hours: number,
    @Ctx() { caller }: Context,
  ): Promise<Overview> {
    requireScope(caller, 'operator');
    return overview({ pool: this.reports.pool, money: this.money, refusals: this.refusals }, this.#engineIds(), {
      hours: within('hours', hours, 720),
      now: new Date(),
    });
  }

  @Query(() => PeriodComparison, {
    description: 'How the last whole hours differ from as many before them, all engines together; operators only.',
  })
  periodComparison(
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Whole hours of each, 1 to 720.' }) hours: number,
    @Ctx() { caller }: Context,
  ): Promise<PeriodComparison> {
    requireScope(caller, 'operator');
    return comparePeriods({ pool: this.reports.pool, money: this.money }, this.#engineIds(), {
      hours: within('hours', hours, 720),
      now: new Date(),
    });
  }

  @Query(() => MoneyFlowType, { description: 'The money of all accounts since midnight, UTC; operators only.' })
  moneyToday(@Ctx() { caller }: Context): Promise<MoneyFlowType> {
    requireScope(caller, 'operator');
    return this.money.since(startOfDay(new Date()));
  }

  @Query(() => Date, {
    nullable: true,
    description: 'When an engine last became or ceased to be degraded or unhealthy; null when none ever did.',
  })
  quietSince(@Ctx() { caller }: Context): Promise<Date | null> {
    requireScope(caller, 'operator');
    return this.states.quietSince();
  }

  @Query(() => [Deployment], {
    description: 'When another version of the service began to run, newest first, at most 50; operators only.',
  })
  deployments(@Ctx() { caller }: Context): Promise<Deployment[]> {
    requireScope(caller, 'operator');
    return this.deploymentLog.list(MOST_DEPLOYMENTS);
  }

  @Query(() => [EngineCheck], { description: 'The health checks of one engine on one day, in order; at most 1,500.' })
  engineChecks(
    @Arg('id', () => ID, { description: 'Engine id.' }) id: string,
    @Arg('date', () => String, { description: 'Day, UTC, YYYY-MM-DD.' }) date: string,
  ): Promise<EngineCheck[]> {
    return checksOfDay(this.reports.pool, this.catalogue.byId(id).id, date);
  }

  @Query(() => EngineErrors, {
    description:
      `Why runs on an engine ended badly in the last hours, among its newest ${ERRORS_AMONG.toLocaleString('en-US')}: each ` +
      'ending with its latest message; operators only.',
  })
  engineErrors(
    @Arg('id', () => ID, { description: 'Engine id.' }) id: string,
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Whole hours to look back, 1 to 720.' }) hours: number,
    @Ctx() { caller }: Context,
  ): Promise<EngineErrors> {
    requireScope(caller, 'operator');
    const since = windowStart(within('hours', hours, 720), new Date());
    return engineErrors(this.reports.pool, this.catalogue.byId(id).id, since);
  }

  @Query(() => EngineMoney, {
    description:
      `What an engine brought in and what its provider takes, over the newest ${MONEY_AMONG.toLocaleString('en-US')} runs of ` +
      'the last hours; operators only.',
  })
  engineMoney(
    @Arg('id', () => ID, { description: 'Engine id.' }) id: string,
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Whole hours to look back, 1 to 720.' }) hours: number,
    @Ctx() { caller }: Context,
  ): Promise<EngineMoney> {
    requireScope(caller, 'operator');
    const engine = this.catalogue.byId(id);
    const since = windowStart(within('hours', hours, 720), new Date());
    return engineMoney(this.reports.pool, { ...engine, isLocal: adapterOf(engine).local }, since);
  }

  #engineIds(): string[] {
    return this.catalogue.engines.map(({ id }) => id);
  }
}
