import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { requireScope } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { type MoneyFlow, startOfDay } from '../billing/money-flow.ts';
import { MoneyFlowType } from '../billing/money-flow.type.ts';
import type { Pool } from '../database/pool.ts';
import type { ReportsReady } from '../database/reports-ready.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { AppError } from '../platform/errors.ts';
import { within } from '../platform/require-range.ts';
import { overview } from './overview.ts';
import { Overview } from './overview.type.ts';
import { EngineCheck } from './probes/engine-check.type.ts';
import { checksOfDay } from './probes/engine-checks.ts';
import type { EngineStateLog } from './probes/engine-state-log.ts';
import type { RefusalStore } from './refusals/refusal-store.ts';

/** How the whole house does, and what operators look into. */
@Resolver()
export class OperationsResolver {
  constructor(
    private readonly reports: { readonly pool: Pool; readonly ready: ReportsReady },
    private readonly catalogue: Catalogue,
    private readonly money: MoneyFlow,
    private readonly states: EngineStateLog,
    private readonly refusals: RefusalStore,
  ) {}

  @Query(() => Overview, { description: 'Engines and money over the last hours, all together; operators only.' })
  overview(
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Whole hours to look back, 1 to 720.' }) hours: number,
    @Ctx() { caller }: Context,
  ): Promise<Overview> {
    requireScope(caller, 'operator');
    const ids = this.catalogue.engines.map(({ id }) => id);
    return overview({ ...this.reports, money: this.money, refusals: this.refusals }, ids, {
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

  @Query(() => [EngineCheck], { description: 'The health checks of one engine on one day, in order; at most 1,500.' })
  engineChecks(
    @Arg('id', () => ID, { description: 'Engine id.' }) id: string,
    @Arg('date', () => String, { description: 'Day, UTC, YYYY-MM-DD.' }) date: string,
  ): Promise<EngineCheck[]> {
    const engine = this.catalogue.find(id);
    if (!engine) throw new AppError('not_found', `There is no engine "${id.slice(0, 200)}".`);
    return checksOfDay(this.reports.pool, engine.id, date);
  }
}
