import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { within } from '../../platform/numbers/require-range.ts';
import { EngineQueue, QueuePoint, WorkerState } from './queue.type.ts';
import type { QueueHistory } from './queue-history.ts';
import type { QueueStats } from './queue-stats.ts';

/** The queue, for operators. */
@Resolver()
export class QueueResolver {
  constructor(
    private readonly store: QueueStats,
    private readonly history: QueueHistory,
  ) {}

  @Query(() => [EngineQueue], { description: 'What waits and what is at work, by engine; operators only.' })
  queues(@Ctx() { caller }: Context): Promise<EngineQueue[]> {
    requireScope(caller, 'operator');
    return this.store.queues();
  }

  @Query(() => [QueuePoint], {
    description: 'How full the queue was, sampled every 5 seconds, oldest first; operators only.',
  })
  queueHistory(
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Hours to look back, 1 to 168.' }) hours: number,
    @Arg('engine', () => ID, { nullable: true, description: 'Of one engine; of all together when absent.' })
    engine: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<QueuePoint[]> {
    requireScope(caller, 'operator');
    return this.history.read(engine ?? null, within('hours', hours, 168));
  }

  @Query(() => [WorkerState], {
    description: 'Processes that work, and when each was last heard of; those of the last hour. Operators only.',
  })
  workers(@Ctx() { caller }: Context): Promise<WorkerState[]> {
    requireScope(caller, 'operator');
    return this.store.workers();
  }
}
